import type { Check } from "../../check.ts";
import { everyRequestIsAuthenticated } from "./every-request.ts";
import { keepsCredentials } from "./keeps-credentials.ts";
import { othersTasks } from "./others-tasks.ts";
import { knownButNotAllowed } from "./restricted.ts";
import { slowsGuessing } from "./slows-guessing.ts";
import { strangeFiles } from "./strange-files.ts";
import { strangersTurnedAway } from "./strangers-turned-away.ts";
import { tenants } from "./tenants.ts";
import { transport } from "./transport.ts";
import { withstands } from "./withstands.ts";

/** AUTH, SEC, TEN, and of PUSH what is about other principals */
export const securityChecks: readonly Check[] = [
  ...strangersTurnedAway,
  knownButNotAllowed,
  ...othersTasks,
  everyRequestIsAuthenticated,
  keepsCredentials,
  ...tenants,
  ...withstands,
  strangeFiles,
  slowsGuessing,
  ...transport,
];
