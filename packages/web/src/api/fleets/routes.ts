import { ApiError } from "../../server/api-error.ts";
import type { KeptFleets } from "../../server/lab.ts";
import { type ApiRoute, json, route } from "../../server/route.ts";

/** Serves the fleets of the history: the newest sweep of each fleet, and the results of one agent. */
export function fleetsRoutes(fleets: KeptFleets | undefined): readonly ApiRoute[] {
  const found = <T>(value: T | undefined, what: string): T => {
    if (value !== undefined) return value;
    throw new ApiError(404, `There is no ${what}.`, "GET /api/fleets lists the fleets of the history.");
  };
  return [
    route("GET", "/api/fleets", async () => json((await fleets?.list()) ?? [])),
    route("GET", "/api/fleets/:fleet", async ({ params }) =>
      json(found(await fleets?.read(params["fleet"]!), `fleet "${params["fleet"]}"`)),
    ),
    route("GET", "/api/fleets/:fleet/agents/:agent", async ({ params }) =>
      json(found(await fleets?.agent(params["fleet"]!, params["agent"]!), `agent "${params["agent"]}" in this fleet`)),
    ),
  ];
}
