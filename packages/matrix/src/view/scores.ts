import type { Cell, CellOutcome } from "../document/cell.ts";
import type { MatrixDocument, MatrixDriver } from "../document/document.ts";
import { type MatrixWire, wireKey } from "./wires.ts";

/** How many cells came to what. */
export interface Score {
  readonly passed: number;
  /** red: an expectation that does not hold, or something that holds the cell up */
  readonly failed: number;
  /** of those, listed as known */
  readonly known: number;
  readonly unsupported: number;
  /** not applicable, or not run */
  readonly left: number;
}

export const isRed = ({ outcome }: Pick<Cell, "outcome">): boolean => outcome === "failed" || outcome === "blocked";

export function scoreOf(cells: readonly Cell[]): Score {
  const count = (...outcomes: readonly CellOutcome[]): number =>
    cells.filter(({ outcome }) => outcomes.includes(outcome)).length;
  return {
    passed: count("passed"),
    failed: count("failed", "blocked"),
    known: cells.filter((cell) => isRed(cell) && cell.known !== undefined).length,
    unsupported: count("unsupported"),
    left: count("not-applicable", "not-run"),
  };
}

/** What was tried: passed or red. What an SDK does not have is neither. */
export const triedIn = ({ passed, failed }: Score): number => passed + failed;

/** How well it went, in steps that a colour can tell apart. */
export type Grade = "all" | "most" | "some" | "none" | "unsupported" | "empty";

export function gradeOf(score: Score): Grade {
  const tried = triedIn(score);
  if (tried === 0) return score.unsupported > 0 ? "unsupported" : "empty";
  if (score.failed === 0) return "all";
  if (score.passed === 0) return "none";
  return score.passed / tried >= 0.8 ? "most" : "some";
}

/** What stands beside every colour. */
export const gradeSigns: Readonly<Record<Grade, string>> = {
  all: "✓",
  most: "!",
  some: "✗",
  none: "✗",
  unsupported: "–",
  empty: "·",
};

/** Clients down, servers across, over one wire. */
export interface PairTable {
  readonly wire: MatrixWire;
  readonly clients: readonly MatrixDriver[];
  readonly servers: readonly MatrixDriver[];
  /** by client, then by server; undefined where one of the two does not speak it */
  readonly rows: readonly (readonly (PairScore | undefined)[])[];
  readonly total: Score;
}

export interface PairScore {
  readonly client: string;
  readonly server: string;
  readonly cells: readonly Cell[];
  readonly score: Score;
}

export function pairTable({ cells, drivers }: Pick<MatrixDocument, "cells" | "drivers">, wire: MatrixWire): PairTable {
  const pairs = new Map<string, Cell[]>();
  const key = wireKey(wire);
  const own = cells.filter((cell) => wireKey(cell) === key);
  for (const cell of own) {
    const pair = pairKey(cell);
    const known = pairs.get(pair);
    if (known) known.push(cell);
    else pairs.set(pair, [cell]);
  }
  const clients = drivers.filter(({ name }) => own.some(({ client }) => client === name));
  const servers = drivers.filter(({ name }) => own.some(({ server }) => server === name));
  const rows = clients.map(({ name: client }) =>
    servers.map(({ name: server }) => {
      const found = pairs.get(pairKey({ client, server }));
      return found && { client, server, cells: found, score: scoreOf(found) };
    }),
  );
  return { wire, clients, servers, rows, total: scoreOf(own) };
}

/** The same text for the same two. */
const pairKey = ({ client, server }: Pick<Cell, "client" | "server">): string => `${client} ${server}`;
