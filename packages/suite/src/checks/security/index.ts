import type { Check } from "../../define/check.ts";
import { everyRequestIsAuthenticated } from "./every-request.ts";
import { withstands } from "./hostile-input.ts";
import { othersTasks } from "./isolation.ts";
import { keepsCredentials } from "./keeps-credentials.ts";
import { knownButNotAllowed } from "./restricted.ts";
import { slowsGuessing } from "./slows-guessing.ts";
import { tenants } from "./tenants.ts";
import { transport } from "./transport.ts";
import { strangersTurnedAway } from "./unauthenticated.ts";
import { strangeFiles } from "./unexpected-files.ts";

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
