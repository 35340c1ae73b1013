import type { UnsealedCell } from "../document/cell.ts";
import type { MatrixCause } from "./matrix-cause.ts";

type Cause = Omit<MatrixCause, "cells" | "blame">;

/** Number of clients that must fail on a card before the card is blamed. */
const enough = 3;

/** Merges causes that block every client of a server in the same way, such as an unreadable card. */
export function commonCauses(
  cells: readonly UnsealedCell[],
  causes: readonly Cause[],
): { readonly cells: readonly UnsealedCell[]; readonly causes: readonly MatrixCause[] } {
  const instead = new Map<string, Cause>();
  for (const cause of causes) {
    if (cause.kind !== "card" || cause.server === undefined || cause.client === undefined) continue;
    const alike = causes.filter(({ kind, server }) => kind === "card" && server === cause.server);
    const stumbling = new Set(alike.map(({ client }) => client));
    const clients = new Set(cells.filter(({ server }) => server === cause.server).map(({ client }) => client));
    if (stumbling.size < enough || stumbling.size < clients.size) continue;
    const { client: _, ...common } = alike[0]!;
    instead.set(cause.id, {
      ...common,
      id: `card/${cause.server}`,
      says: `no client can read the card of ${cause.server}: ${common.says}`,
    });
  }
  const renamed = cells.map((cell) => {
    const common = cell.cause === undefined ? undefined : instead.get(cell.cause);
    return common ? { ...cell, cause: common.id } : cell;
  });
  const all = new Map(causes.map((cause) => instead.get(cause.id) ?? cause).map((cause) => [cause.id, cause]));
  return {
    cells: renamed,
    causes: [...all.values()].map((cause) => ({
      ...cause,
      cells: renamed.filter((cell) => cell.cause === cause.id).length,
    })),
  };
}
