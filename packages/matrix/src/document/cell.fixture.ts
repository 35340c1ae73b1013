import type { Cell, CellFailure, CellStep } from "./cell.ts";
import type { MatrixExchange } from "./evidence.ts";

/** A cell that failed in its only step, with all exchanges in that step. */
export function failedCell(
  evidence: readonly MatrixExchange[],
  step: Partial<CellStep> & Pick<CellStep, "op">,
  failure: Partial<CellFailure> & Pick<CellFailure, "code" | "onTheWire">,
  more: Partial<Cell> = {},
): Cell {
  const exchanges = evidence.map(({ id }) => id);
  const sealed = { package: "p", version: "1", command: ["p"] };
  return {
    id: "c/s/jsonrpc/1.0/x",
    client: "a2a-one",
    server: "a2a-two",
    binding: "JSONRPC",
    version: "1.0",
    scenario: "spec-get-task",
    outcome: "failed",
    because: "an expectation does not hold",
    duration_ms: 5,
    steps: [{ id: "step", verdict: "fail", duration_ms: 5, exchanges, ...step }],
    exchanges,
    failure: { step: "step", message: "task.status.state: expected A, got B", ...failure },
    seal: {
      client: sealed,
      server: sealed,
      suite: { version: "1", scenarios: "d" },
      card: "sha256:card",
      at: "2026-11-16T00:00:00.000Z",
      evidence: "d",
      cell: "d",
    },
    ...more,
  };
}
