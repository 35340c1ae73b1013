import type { Cell, Grade } from "@assay/matrix/view";

/** What stands beside every colour. */
export const gradeSigns: Readonly<Record<Grade, string>> = {
  all: "✓",
  most: "!",
  some: "✗",
  none: "✗",
  unsupported: "–",
  empty: "·",
};

/** How an outcome looks: the verdict it is like. */
export const outcomeLooks: Readonly<Record<Cell["outcome"], string>> = {
  passed: "verdict pass",
  failed: "verdict fail",
  blocked: "verdict blocked",
  unsupported: "verdict",
  "not-applicable": "verdict",
  "not-run": "verdict",
};
