import type { Blame } from "../document/blame.ts";
import type { Cell } from "../document/cell.ts";
import type { MatrixExchange } from "../document/evidence.ts";

/** Says whose a red cell is. `evidence` are the exchanges of the cell, in their order. */
export function blameOf({ failure }: Pick<Cell, "failure">, _evidence: readonly MatrixExchange[]): Blame {
  switch (failure?.onTheWire) {
    case "fails":
      return { whose: "server", explanation: failure.message, reasons: [{ says: failure.message }] };
    case "holds":
      return { whose: "client", explanation: failure.message, reasons: [{ says: failure.message }] };
    default:
      return { whose: "unclear", explanation: failure?.message ?? "", reasons: [] };
  }
}
