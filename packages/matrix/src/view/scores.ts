import type { Cell, CellOutcome } from "../document/cell.ts";
import type { MatrixDocument, MatrixDriver } from "../document/document.ts";
import { type MatrixWire, wireKey } from "./wires.ts";

/** Number of cells by result. */
export interface Score {
  readonly passed: number;
  /** red: a failed expectation, or a blocked cell */
  readonly failed: number;
  /** the known failures among them */
  readonly known: number;
  readonly unsupported: number;
  /** not applicable, or not run */
  readonly left: number;
}

export const isRed = ({ outcome }: Pick<Cell, "outcome">): boolean => outcome === "failed" || outcome === "blocked";

export function scoreOf(cells: readonly Pick<Cell, "outcome" | "known">[]): Score {
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

/** Returns the number of tried cells: passed or red, without unsupported ones. */
export const triedIn = ({ passed, failed }: Score): number => passed + failed;

/** The share of passed cells, in steps for colours. */
export type Grade = "all" | "most" | "some" | "none" | "unsupported" | "empty";

export function gradeOf(score: Score): Grade {
  const tried = triedIn(score);
  if (tried === 0) return score.unsupported > 0 ? "unsupported" : "empty";
  if (score.failed === 0) return "all";
  if (score.passed === 0) return "none";
  return score.passed / tried >= 0.8 ? "most" : "some";
}

/** The sign that accompanies every colour. */
export const gradeSigns: Readonly<Record<Grade, string>> = {
  all: "✓",
  most: "!",
  some: "✗",
  none: "✗",
  unsupported: "–",
  empty: "·",
};

/** Clients as rows, servers as columns, over one wire. */
export interface PairTable {
  readonly wire: MatrixWire;
  readonly clients: readonly MatrixDriver[];
  readonly servers: readonly MatrixDriver[];
  /** by client, then by server; undefined if one of the two does not support the wire */
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

/** Returns the same key for the same pair. */
const pairKey = ({ client, server }: Pick<Cell, "client" | "server">): string => `${client} ${server}`;
