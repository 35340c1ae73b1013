import { notApplicable } from "../../../define/finding.ts";
import type { Target } from "../../../define/target.ts";

/** The same agent over its other bindings. */
export const othersOf = (target: Target): readonly Target[] =>
  target.sameVersion.filter(({ on }) => on.binding !== target.on.binding && on.dialect === target.on.dialect);

/** Those of the same tenant: what one shows the others must show. */
export const roommatesOf = (target: Target): readonly Target[] =>
  othersOf(target).filter(({ on }) => on.tenant === target.on.tenant);

export const noOthers = notApplicable("no other binding is tested");
export const noRoommates = notApplicable("no other binding is tested for the same tenant");
