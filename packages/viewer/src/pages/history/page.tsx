import "./style.css";
import { get } from "../../app/api.ts";
import { isStatic } from "../../app/embedded.ts";
import { useLoaded } from "../../app/loaded.ts";
import { Empty, Loading, Trouble } from "../../app/notice.tsx";
import type { PageRoute } from "../../app/route.ts";
import { linkTo } from "../../app/route.ts";
import { comparableRuns } from "../../app/run-line.ts";
import { Said } from "../../app/sentence.tsx";
import { useTitle } from "../../app/title.ts";
import type { RunLine } from "../../documents/runs.ts";
import { TestActions } from "../test/actions.tsx";
import { ComparisonView } from "./comparison.tsx";
import { RunsPlot } from "./runs-plot.tsx";
import { RunsTable } from "./runs-table.tsx";

/** Shows the runs of an agent over time, and the changes between two runs: `#/history?agent=…&before=…&after=…`. */
export function Page({ route }: { readonly route: PageRoute }) {
  useTitle("History");
  const runs = useLoaded(() => get<readonly RunLine[]>("/api/runs"), []);
  if (runs.is === "failed") return <Trouble error={runs.error} />;
  if (runs.is === "loading") return <Loading />;
  const tests = runs.value.filter(({ subject, isRunning }) => subject === "agent" && !isRunning);
  if (tests.length === 0)
    return (
      <Empty title="No runs yet">
        <p>
          Assay saves every test in <code>.assay/runs</code> and keeps the last 20 (change the number with{" "}
          <code>--keep</code>). After two tests, this page shows what changed: fixed, broken, new.
        </p>
        {!isStatic && (
          <p>
            <a href="#/test">Test an agent</a>, or run <code>assay test</code> in the folder where you started this
            page.
          </p>
        )}
      </Empty>
    );
  return <History tests={tests} route={route} />;
}

export const Actions = TestActions;

function History({ tests, route }: { readonly tests: readonly RunLine[]; readonly route: PageRoute }) {
  const agents = [...new Set(tests.map(({ agentUrl }) => agentUrl))];
  const asked = route.query.get("agent");
  const agentUrl = asked !== null && agents.includes(asked) ? asked : agents[0]!;
  const own = tests.filter((line) => line.agentUrl === agentUrl);
  const plotted = comparableRuns(own);
  const chosen = { before: route.query.get("before"), after: route.query.get("after") };
  const [newest, second] = own;
  const after = own.find(({ run }) => run === chosen.after) ?? newest!;
  const before = own.find(({ run }) => run === chosen.before) ?? second;
  const here = (query: Readonly<Record<string, string>>): string =>
    linkTo("history", [], { agent: agentUrl, ...query });
  return (
    <div class="history">
      <section aria-labelledby="whose">
        <h1 id="whose">
          <Said text={newest!.agentName || agentUrl} most={80} />
        </h1>
        <ul class="agents-of-history" aria-label="Agents">
          {agents.map((url) => (
            <li key={url}>
              <a
                href={linkTo("history", [], { agent: url })}
                {...(url === agentUrl && { "aria-current": "true" as const })}
              >
                <Said text={url} most={70} />
              </a>
            </li>
          ))}
        </ul>
      </section>
      {plotted.length > 1 && <RunsPlot runs={plotted.toReversed()} leftOut={own.length - plotted.length} />}
      <RunsTable
        runs={own}
        before={before?.run}
        after={after.run}
        linkOf={(pair) => here({ ...(before && { before: before.run }), after: after.run, ...pair })}
      />
      {before && before.run !== after.run ? (
        <ComparisonView before={before.run} after={after.run} />
      ) : (
        <p class="hint">After a second run of this agent, this page shows what changed.</p>
      )}
    </div>
  );
}
