import { notApplicable } from "../../finding.ts";
import type { Lab } from "../../lab.ts";

/** The same agent over its other bindings. */
export const othersOf = (lab: Lab): readonly Lab[] =>
  lab.siblings.filter(({ on }) => on.binding !== lab.on.binding && on.dialect === lab.on.dialect);

/** Those of the same tenant: what one shows the others must show. */
export const roommatesOf = (lab: Lab): readonly Lab[] => othersOf(lab).filter(({ on }) => on.tenant === lab.on.tenant);

export const noOthers = notApplicable("no other binding is tested");
export const noRoommates = notApplicable("no other binding is tested for the same tenant");
