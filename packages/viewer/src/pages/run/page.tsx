import "./style.css";
import { Empty, Loading, Trouble } from "../../app/notice.tsx";
import type { PageRoute } from "../../app/route.ts";
import { TestActions } from "../test/actions.tsx";
import { LiveRunView } from "./live-run.tsx";
import { ReadRunView } from "./read-run.tsx";
import { useRun } from "./use-run.ts";

/** Shows one run: `#/runs/<run>`, `#/runs/<run>/rule/<result>`, `#/runs/<run>/exchange/<id>`. */
export function Page({ route }: { readonly route: PageRoute }) {
  const [run] = route.rest;
  return run === undefined ? (
    <Empty title="Which run?">
      <p>
        <a href="#/history">History</a> lists the saved runs.
      </p>
    </Empty>
  ) : (
    <RunPage key={run} run={run} route={route} />
  );
}

export const Actions = TestActions;

function RunPage({ run, route }: { readonly run: string; readonly route: PageRoute }) {
  const sight = useRun(run);
  switch (sight.is) {
    case "loading":
      return <Loading />;
    case "failed":
      return <Trouble error={sight.error} />;
    case "live":
      return <LiveRunView run={run} progress={sight.progress} since={sight.since} />;
    case "there":
      return <ReadRunView run={run} source={sight.source} route={route} />;
  }
}
