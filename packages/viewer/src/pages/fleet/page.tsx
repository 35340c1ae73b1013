import "../run/style.css";
import "../../app/panes.css";
import "../../app/signs.css";
import "../../app/wide-table.css";
import "./fleet.css";
import type { FleetLine, ShownAgent, ShownFleet } from "@assay/fleet/view";
import { dateText, plural } from "@assay/suite/text";
import type { ComponentType } from "preact";
import { get } from "../../app/api.ts";
import { useLoaded } from "../../app/loaded.ts";
import { Empty, Loading, Trouble } from "../../app/notice.tsx";
import { linkTo, type PageRoute } from "../../app/route.ts";
import { Said } from "../../app/sentence.tsx";
import { AgentView } from "./agent.tsx";
import { FleetView } from "./overview.tsx";

export function Page({ route }: { readonly route: PageRoute }) {
  const [fleet, part, agent] = route.rest;
  const path = fleet === undefined ? "" : (`/api/fleets/${encodeURIComponent(fleet)}` as const);
  if (fleet === undefined) return <Fleets />;
  if (part === "agent" && agent !== undefined)
    return (
      <Fetched
        key={agent}
        from={`/api/fleets/${encodeURIComponent(fleet)}/agents/${encodeURIComponent(agent)}`}
        of={ShownOne}
        route={route}
      />
    );
  return <Fetched key={path} from={`/api/fleets/${encodeURIComponent(fleet)}`} of={ShownAll} route={route} />;
}

/** Shows the response of the API once it has arrived. */
function Fetched<T>({
  from,
  of: Shown,
  route,
}: {
  readonly from: `/api/${string}`;
  readonly of: ComponentType<{ readonly value: T; readonly route: PageRoute }>;
  readonly route: PageRoute;
}) {
  const loaded = useLoaded(() => get<T>(from), [from]);
  if (loaded.is === "loading") return <Loading />;
  if (loaded.is === "failed") return <Trouble error={loaded.error} />;
  return (
    <div class="fleet">
      <Shown value={loaded.value} route={route} />
    </div>
  );
}

const ShownAll = ({ value, route }: { readonly value: ShownFleet; readonly route: PageRoute }) => (
  <FleetView report={value} query={route.query} />
);

const ShownOne = ({ value }: { readonly value: ShownAgent }) => <AgentView shown={value} />;

function Fleets() {
  const loaded = useLoaded(() => get<readonly FleetLine[]>("/api/fleets"), []);
  if (loaded.is === "loading") return <Loading />;
  if (loaded.is === "failed") return <Trouble error={loaded.error} />;
  if (loaded.value.length === 0)
    return (
      <Empty title="Many agents at once">
        <p>
          <code>npx a2a-assay fleet agents.yaml</code> tests every agent in a list and saves the results in the history.
          The history has no fleet yet.
        </p>
      </Empty>
    );
  return (
    <div class="fleet">
      <h1>Fleets</h1>
      <ul class="lines">
        {loaded.value.map(({ fleet, startedAt, agents, page }) => (
          <li>
            <a href={page ?? linkTo("fleet", [fleet])}>
              <Said text={fleet} most={120} />
            </a>{" "}
            <span class="soft">
              {dateText(startedAt)}, {plural(agents, "agent")}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
