import "../look/base.css";
import "./style.css";
import "./panes.css";
import { render } from "preact";
import type { SiteDocument } from "../documents/session.ts";
import { ApiFailure, get, post } from "./api.ts";
import { isStatic } from "./embedded.ts";
import { Trouble } from "./notice.tsx";
import { Shell } from "./shell.tsx";
import { site } from "./site.ts";

/** The page for visitors without the token. */
const Locked = ({ error, isUnknown }: { readonly error: Error; readonly isUnknown: boolean }) => (
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

/** The address that the terminal printed brings the token along, behind the `#`; it does not stay there. */
async function begin(): Promise<void> {
  const [, token] = /^#token=([\w-]+)$/.exec(location.hash) ?? [];
  if (token !== undefined) {
    history.replaceState(null, "", location.pathname);
    site.document = await post<SiteDocument>("/api/session", { token });
  } else if (!isStatic) site.document = await get<SiteDocument>("/api/session");
}

const root = document.getElementById("page")!;
begin().then(
  () => render(<Shell />, root),
  (error: Error) =>
    render(<Locked error={error} isUnknown={error instanceof ApiFailure && error.status === 401} />, root),
);
