import type { Cell } from "@assay/matrix/view";

/** The style of each outcome, borrowed from the verdicts. */
export const outcomeLooks: Readonly<Record<Cell["outcome"], string>> = {
  passed: "verdict pass",
  failed: "verdict fail",
  blocked: "verdict blocked",
  unsupported: "verdict",
  "not-applicable": "verdict",
  "not-run": "verdict",
};
