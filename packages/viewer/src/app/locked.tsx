import { Trouble } from "./notice.tsx";

/** What those see who come without the token. */
export const Locked = ({ error, isUnknown }: { readonly error: Error; readonly isUnknown: boolean }) => (
  <main class="locked">
    <h1>Assay</h1>
    {isUnknown ? (
      <div class="panel">
        <p>
          <strong>This page is open to those who started it.</strong>
        </p>
        <p>
          Open the address that <code>assay ui</code> printed in its terminal: it ends in <code>#token=…</code>. After
          that this browser is known until it is closed, or <code>assay ui</code> is started again.
        </p>
      </div>
    ) : (
      <Trouble error={error} />
    )}
  </main>
);
