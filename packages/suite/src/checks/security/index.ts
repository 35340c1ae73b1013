import type { Check } from "../../define/check.ts";
import { hostileInputChecks } from "./hostile-input.ts";
import { othersTasks } from "./isolation.ts";
import { keepsCredentials } from "./keeps-credentials.ts";
import { everyRequestIsAuthenticated, knownButNotAllowed, slowsGuessing, strangersTurnedAway } from "./logins.ts";
import { tenants } from "./tenants.ts";
import { transport } from "./transport.ts";

/** AUTH, SEC, TEN, and the PUSH rules about other principals */
export const securityChecks: readonly Check[] = [
  ...strangersTurnedAway,
  knownButNotAllowed,
  ...othersTasks,
  everyRequestIsAuthenticated,
  keepsCredentials,
  ...tenants,
  ...hostileInputChecks,
  slowsGuessing,
  ...transport,
];
