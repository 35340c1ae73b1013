import { Trouble } from "./notice.tsx";

/** The page for visitors without the token. */
export const Locked = ({ error, isUnknown }: { readonly error: Error; readonly isUnknown: boolean }) => (
  <main class="locked">
    <h1>Assay</h1>
    {isUnknown ? (
      <div class="panel">
        <p>
          <strong>This page needs its token.</strong>
        </p>
        <p>
          Open the address that <code>assay ui</code> printed in its terminal; it ends with <code>#token=…</code>. After
          that, this browser has access until you close it or restart <code>assay ui</code>.
        </p>
      </div>
    ) : (
      <Trouble error={error} />
    )}
  </main>
);
