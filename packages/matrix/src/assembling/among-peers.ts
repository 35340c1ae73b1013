import type { BlameReason } from "../document/blame.ts";
import type { UnsealedCell } from "../document/cell.ts";

/**
 * Counts for red cells how many others fail in the same way: clients at the same server, and servers with the
 * same client. It changes no blame, which depends on the bytes of one cell; it shows how far to trust it.
 */
export function amongPeers(cells: readonly UnsealedCell[]): (cell: UnsealedCell) => BlameReason | undefined {
  const byScenario = new Map<string, UnsealedCell[]>();
  for (const cell of cells) {
    if (cell.outcome !== "passed" && cell.outcome !== "failed") continue;
    const alike = byScenario.get(scenarioKey(cell));
    if (alike) alike.push(cell);
    else byScenario.set(scenarioKey(cell), [cell]);
  }
  return (cell) => {
    if (!cell.failure) return undefined;
    const tried = byScenario.get(scenarioKey(cell)) ?? [];
    const ofServer = tried.filter(({ server }) => server === cell.server);
    const ofClient = tried.filter(({ client }) => client === cell.client);
    const counted = [
      ...(ofServer.length > 1
        ? [`${failing(ofServer, cell)} of the ${ofServer.length} clients fail this way at ${cell.server}`]
        : []),
      ...(ofClient.length > 1
        ? [`${cell.client} fails this way at ${failing(ofClient, cell)} of ${ofClient.length} servers`]
        : []),
    ];
    return counted.length ? { says: `in this scenario over this wire, ${counted.join(", and ")}` } : undefined;
  };
}

const scenarioKey = ({ binding, version, scenario }: UnsealedCell): string => [binding, version, scenario].join(" ");

/** Counts cells whose same step fails in the same way, on the wire or only in the client. */
const failing = (cells: readonly UnsealedCell[], { failure }: UnsealedCell): number =>
  cells.filter(({ failure: other }) => other && wayOf(other) === wayOf(failure!)).length;

const wayOf = ({ step, code, onTheWire, path = "" }: NonNullable<UnsealedCell["failure"]>): string =>
  [step, code, onTheWire, path].join(" ");
