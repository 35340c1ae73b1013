import { availableParallelism, totalmem } from "node:os";
import type { ActsFile } from "@assay/scenarios";
import { notForClients } from "@assay/scenarios";
import { blameOf } from "../blame/blame.ts";
import { blameOfCause } from "../causes/blame-of-cause.ts";
import { commonCauses } from "../causes/common-causes.ts";
import type { MatrixCause } from "../causes/matrix-cause.ts";
import type { BlameReason } from "../document/blame.ts";
import type { Cell, UnsealedCell } from "../document/cell.ts";
import { type MatrixDocument, type MatrixDriver, type MatrixScenario, matrixFormat } from "../document/document.ts";
import type { MatrixExchange } from "../document/evidence.ts";
import type { KnownFailure, KnownFailureRow } from "../document/known-failure.ts";
import { digestOf, evidenceOf, sealed } from "../document/seal.ts";
import type { DriverDescription } from "../driver/description.ts";
import { type CellPlace, knownFailureOf, staleRows } from "../known/mark.ts";
import { pairingsOf, testsFor } from "../running/pairing.ts";
import type { MatrixRecord } from "../running/record.ts";
import { amongPeers } from "./among-peers.ts";

export interface MatrixFacts {
  /** of this tool */
  readonly version: string;
  readonly startedAt: string;
  readonly partial?: string;
  readonly timeScale: number;
  readonly drivers: readonly DriverDescription[];
  /** reasons by the names of drivers that did not take part */
  readonly absent?: ReadonlyMap<string, string>;
  readonly file: ActsFile;
  readonly known: readonly KnownFailureRow[];
}

/** Assembles the document from all records. For green cells it holds no exchanges, only their digest. */
export class MatrixAssembly {
  readonly #cells: UnsealedCell[] = [];
  readonly #exchanges = new Map<string, MatrixExchange>();
  readonly #causes = new Map<string, Omit<MatrixCause, "cells" | "blame">>();
  readonly #chains: MatrixDocument["chains"][number][] = [];
  /** the end of the last pair */
  #end = 0;

  /** Adds a record and drops the parts that the document does not need, because records are large. */
  add(record: MatrixRecord): void {
    const held = Object.fromEntries(record.exchanges.map((exchange) => [exchange.id, exchange]));
    const keep = (ids: readonly string[]): void => {
      for (const exchange of evidenceOf({ exchanges: ids }, held)) this.#exchanges.set(exchange.id, exchange);
    };
    if (record.is === "chain") {
      this.#chains.push(record.chain);
      for (const edge of record.chain.edges) if (edge.outcome === "failed") keep(edge.exchanges);
      return;
    }
    for (const cause of record.causes) {
      keep(cause.exchanges);
      if (!this.#causes.has(cause.id)) this.#causes.set(cause.id, cause);
    }
    for (const cell of record.cells) {
      this.#end = Math.max(this.#end, Date.parse(cell.seal.at) + record.duration_ms);
      this.#cells.push({ ...cell, seal: { ...cell.seal, recorded: digestOf(evidenceOf(cell, held)) } });
      if (cell.outcome === "failed") keep(cell.exchanges);
    }
  }

  document(facts: MatrixFacts): MatrixDocument {
    const { version, startedAt, partial, timeScale, drivers, absent = new Map(), file, known } = facts;
    // The time of a pair, so that assembling again does not extend the duration.
    const finishedAt = new Date(Math.max(this.#end, Date.parse(startedAt))).toISOString();
    const exchanges = Object.fromEntries(this.#exchanges);
    const { cells, causes } = commonCauses(this.#cells, [...this.#causes.values()]);
    const peersOf = amongPeers(cells);
    const blamedCauses = causes.map((cause) => blamedCause(cause, cells, exchanges));
    const blameOfBlocked = new Map(blamedCauses.map(({ id, blame }) => [id, blame]));
    const marked = cells.map((cell) => {
      const blamed = blamedCell(cell, exchanges, peersOf(cell));
      const blame = blamed.blame ?? blameOfBlocked.get(cell.cause ?? "");
      return sealedCell(blamed, exchanges, knownFailureOf(blamed, known, blame));
    });
    return {
      format: matrixFormat,
      tool: { name: "assay", version },
      startedAt,
      finishedAt,
      duration_ms: Date.parse(finishedAt) - Date.parse(startedAt),
      ...(partial !== undefined && { partial }),
      machine: { cores: availableParallelism(), memoryBytes: totalmem(), node: process.version },
      timeScale,
      drivers: drivers.map((driver) => driverOf(driver, absent.get(driver.name))),
      scenarios: file.suites.flatMap(({ id, tests }) => tests.map((test) => scenarioOf(test, id))),
      cells: marked,
      chains: this.#chains,
      causes: blamedCauses,
      exchanges,
      staleKnownFailures: staleRows(marked, known, plannedCells(drivers, file)),
    };
  }
}

/** Returns the cells of a whole matrix, without any filter. */
const plannedCells = (drivers: readonly DriverDescription[], file: ActsFile): readonly CellPlace[] =>
  pairingsOf(drivers).flatMap((pairing) =>
    testsFor(file, pairing).map(({ id }) => ({
      client: pairing.client.name,
      server: pairing.server.name,
      binding: pairing.binding,
      version: pairing.version,
      scenario: id,
    })),
  );

/**
 * Returns a cell for the document: with its known failure, and with the digest of its recording if the
 * document holds less.
 */
function sealedCell(
  { seal: { recorded, ...seal }, ...cell }: UnsealedCell,
  exchanges: Readonly<Record<string, MatrixExchange>>,
  known: KnownFailure | undefined,
): Cell {
  const held = evidenceOf(cell, exchanges);
  const isWhole = held.length === cell.exchanges.length;
  const kept = isWhole || recorded === undefined ? seal : { ...seal, recorded };
  return sealed({ ...cell, ...(known && { known }), seal: kept }, held);
}

/** Adds the blame to a red cell. It is computed here, so that all sessions of a matrix are judged alike. */
function blamedCell(
  cell: UnsealedCell,
  exchanges: Readonly<Record<string, MatrixExchange>>,
  peers: BlameReason | undefined,
): UnsealedCell {
  if (cell.outcome !== "failed") return cell;
  const blame = blameOf(cell, evidenceOf(cell, exchanges));
  return { ...cell, blame: { ...blame, reasons: [...blame.reasons, ...(peers ? [peers] : [])] } };
}

/** Adds the blame to a cause, from the exchanges of its first cell. */
function blamedCause(
  cause: MatrixCause,
  cells: readonly UnsealedCell[],
  exchanges: Readonly<Record<string, MatrixExchange>>,
): MatrixCause {
  const first = cells.find((cell) => cell.cause === cause.id);
  if (!first) return cause;
  const evidence = cause.exchanges.flatMap((id) => exchanges[id] ?? []);
  return { ...cause, blame: blameOfCause(cause, evidence, first) };
}

const driverOf = (
  { name, title, language, package: of, version, client, server }: DriverDescription,
  absent: string | undefined,
): MatrixDriver => ({
  name,
  title,
  language,
  package: of,
  version,
  roles: { ...(client && { client: client.speaks }), ...(server && { server: server.speaks }) },
  ...(absent !== undefined && { absent }),
});

const scenarioOf = (test: ActsFile["suites"][number]["tests"][number], group: string): MatrixScenario => {
  const why = notForClients(test);
  const { id, name, specRef } = test;
  return {
    id,
    name,
    group,
    ...(specRef !== undefined && { specRef }),
    ...(why !== undefined && { notForClients: why }),
  };
};
