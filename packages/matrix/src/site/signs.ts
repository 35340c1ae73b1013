import type { CellOutcome } from "../document/cell.ts";
import type { Grade } from "../view/scores.ts";

/** What stands beside every colour. */
export const gradeSigns: Record<Grade, string> = {
  all: "✓",
  most: "!",
  some: "✗",
  none: "✗",
  unsupported: "–",
  empty: "·",
};

export const outcomeSigns: Record<CellOutcome, string> = {
  passed: "✓",
  failed: "✗",
  blocked: "⊘",
  unsupported: "–",
  "not-applicable": "·",
  "not-run": "·",
};
