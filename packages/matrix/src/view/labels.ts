import type { SharedCause } from "../causes/shared-causes.ts";
import type { Blamed } from "../document/blame.ts";
import type { CellOutcome } from "../document/cell.ts";
import type { CellChange } from "./compare.ts";
import { type Score, triedIn } from "./scores.ts";

/** Labels that all views of the matrix share. */

export const blamedWords: Record<Blamed, string> = {
  client: "the client",
  server: "the server",
  both: "both sides",
  specification: "the specification",
  unclear: "not clear",
};

export const outcomeWords: Record<CellOutcome, string> = {
  passed: "passed",
  failed: "failed",
  blocked: "blocked",
  unsupported: "unsupported",
  "not-applicable": "not applicable",
  "not-run": "not run",
};

export const changeWords: Record<CellChange, string> = {
  broken: "newly failing",
  found: "new and failing",
  fixed: "fixed",
  gone: "was failing, no longer tested",
  still: "failing in both",
};

/** "the server a2a-go" */
export function blameText({
  whose,
  example,
  clients,
  servers,
}: Pick<SharedCause, "whose" | "example" | "clients" | "servers">): string {
  const name = whose === "client" ? example.client : whose === "server" ? example.server : undefined;
  const isOne = whose === "client" ? clients.length === 1 : servers.length === 1;
  return `${blamedWords[whose]}${name !== undefined && isOne ? ` ${name}` : ""}`;
}

/** "28 of 33", with what was not tried */
export function scoreText(score: Score): string {
  const tried = triedIn(score);
  if (tried === 0) return score.unsupported > 0 ? "unsupported" : "not tried";
  return `${score.passed} of ${tried}`;
}
