import type { Check } from "../../../define/check.ts";
import { claimsOnlyStreamsItHas, customBindings } from "./custom-bindings.ts";
import { sameErrors } from "./same-errors.ts";
import { sameLogin } from "./same-login.ts";
import { sameOperations } from "./same-operations.ts";
import { sameStreams } from "./same-streams.ts";
import { sameData, sameTasks } from "./same-tasks.ts";

/** BIND; DATA-030, which compares bindings too */
export const equivalenceChecks: readonly Check[] = [
  sameOperations,
  sameTasks,
  sameErrors,
  sameLogin,
  sameStreams,
  sameData,
  customBindings,
  claimsOnlyStreamsItHas,
];
