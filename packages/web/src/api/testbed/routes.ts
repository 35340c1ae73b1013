import type { Lab } from "../../server/lab.ts";
import { type ApiRoute, json } from "../../server/route.ts";

/** The built-in agents, for those who have none at hand. */
export const testbedRoutes = (lab: Lab): readonly ApiRoute[] => [
  { method: "POST", path: "/api/testbed", answer: async () => json(await lab.testbed()) },
];
