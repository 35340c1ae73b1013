import type { Cell } from "@assay/matrix/view";

/** How an outcome looks: the verdict it is like. */
export const outcomeLooks: Readonly<Record<Cell["outcome"], string>> = {
  passed: "verdict pass",
  failed: "verdict fail",
  blocked: "verdict blocked",
  unsupported: "verdict",
  "not-applicable": "verdict",
  "not-run": "verdict",
};
