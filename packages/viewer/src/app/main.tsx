import "../look/base.css";
import "./style.css";
import "./panes.css";
import { render } from "preact";
import type { SiteDocument } from "../documents/session.ts";
import { fillIn } from "../pages/test/start-test.ts";
import { shareable } from "./agent.ts";
import { ApiFailure, get, post } from "./api.ts";
import { isStatic } from "./embedded.ts";
import { Trouble } from "./notice.tsx";
import { routeIn } from "./route.ts";
import { Shell } from "./shell.tsx";
import { site } from "./site.ts";

/** Shows a page for visitors without the token. */
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

/** Reads the token from the `#` part of the printed address, and removes it from the URL. */
async function begin(): Promise<void> {
  const [, token] = /^#token=([\w-]+)$/.exec(location.hash) ?? [];
  if (token !== undefined) {
    history.replaceState(null, "", location.pathname);
    site.document = await post<SiteDocument>("/api/session", { token });
  } else if (!isStatic) site.document = await get<SiteDocument>("/api/session");
}

/** Fills in the agent from the URL of the page, or the operator's first agent. A run has its own agent. */
function fillInFirst(): void {
  const { page, query } = routeIn(location.hash);
  if (page === "runs") return;
  const asked = query.get("agent");
  const named = site.document?.agents.find(({ url }) => asked === null || shareable(url) === asked);
  if (named) fillIn(named);
}

const root = document.getElementById("page")!;
begin().then(
  () => {
    fillInFirst();
    render(<Shell />, root);
  },
  (error: Error) =>
    render(<Locked error={error} isUnknown={error instanceof ApiFailure && error.status === 401} />, root),
);
