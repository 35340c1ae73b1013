import type { Lab } from "../../server/lab.ts";
import { type ApiRoute, json, route } from "../../server/route.ts";

/** Starts the built-in agents, for users without an agent of their own. */
export const testbedRoutes = (lab: Lab): readonly ApiRoute[] => [
  route("POST", "/api/testbed", async () => json(await lab.testbed())),
];
