import type { Lab } from "../../server/lab.ts";
import { type ApiRoute, json, route } from "../../server/route.ts";

/** The built-in agents, for those who have none at hand. */
export const testbedRoutes = (lab: Lab): readonly ApiRoute[] => [
  route("POST", "/api/testbed", async () => json(await lab.testbed())),
];
