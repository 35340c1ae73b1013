import type { Lab } from "../server/lab.ts";
import type { ApiRoute } from "../server/route.ts";
import type { Session } from "../server/session.ts";
import { fleetsRoutes } from "./fleets/routes.ts";
import { matricesRoutes } from "./matrices/routes.ts";
import { rulesRoutes } from "./rules/routes.ts";
import { LiveRuns } from "./runs/live-runs.ts";
import { runsRoutes } from "./runs/routes.ts";
import { RunShelf } from "./runs/run-shelf.ts";
import { sessionRoutes } from "./session/routes.ts";
import { Conversations } from "./talk/conversations.ts";
import { talkRoutes } from "./talk/routes.ts";
import { testbedRoutes } from "./testbed/routes.ts";
import { watchRoutes } from "./watch/routes.ts";
import { Watches } from "./watch/watches.ts";

/** The routes of the API, area by area, and a function that stops everything they started. */
export function allRoutes(
  lab: Lab,
  session: Session,
): { readonly routes: readonly ApiRoute[]; close(): Promise<void> } {
  const live = new LiveRuns();
  const conversations = new Conversations();
  const watches = new Watches(lab.version);
  return {
    routes: [
      ...sessionRoutes(session, lab),
      ...runsRoutes(lab, new RunShelf(lab.runs, lab.history), live),
      ...testbedRoutes(lab),
      ...rulesRoutes(),
      ...matricesRoutes(lab.matrices),
      ...fleetsRoutes(lab.fleets),
      ...talkRoutes(lab, conversations),
      ...watchRoutes(lab, watches),
    ],
    async close() {
      await Promise.all([live.close(), conversations.close(), watches.close()]);
    },
  };
}
