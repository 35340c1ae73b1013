import { isObject, lintCard } from "@assay/protocol";
import type { MatrixExchange } from "../document/evidence.ts";
import { type BlameFinding, citing } from "./finding.ts";
import { cardIn, type SeenCell } from "./seen.ts";

/** The client asked for the card and got none. `hasCard`: the server has one at the specified path. */
export function withoutCard(fetch: MatrixExchange, hasCard: boolean): BlameFinding {
  const { url } = fetch.entry.request;
  const { status, _error } = fetch.entry.response;
  const got = status === 0 ? (_error ?? "no answer") : `HTTP ${status}`;
  const isUsual = new URL(url).pathname.endsWith("/.well-known/agent-card.json");
  if (hasCard && !isUsual)
    return {
      code: "sent-elsewhere",
      about: "card",
      title: `the client looks for the card at ${new URL(url).pathname}`,
      explanation: `The client asked for the card at a path that no expected protocol version uses (${got}), and stopped there.`,
      reasons: [{ says: `GET ${new URL(url).pathname} is answered with ${got}`, exchange: fetch.id }],
    };
  return {
    code: "no-card",
    about: "card",
    title: "the card cannot be read",
    explanation: `The client asked for the card at the path from the specification and got none (${got}). Without a card, a client has no address to call.`,
    reasons: [{ says: `GET ${new URL(url).pathname} is answered with ${got}`, exchange: fetch.id }],
  };
}

export function brokenCard({ cell, step, failure }: SeenCell, fetch: MatrixExchange): BlameFinding | undefined {
  // A client that could read the card did not fail because of it; the scenario may be about the
  // card itself.
  const isAbout = step?.op === "card";
  if (isAbout ? failure.onTheWire === "holds" : step?.answer?.error === undefined) return undefined;
  return cardBreaksRule(fetch, cell.version, isAbout ? "" : ", and this one did: it sent nothing afterwards");
}

/** Returns definite violations in a card; undefined if there are none. */
export function cardBreaksRule(
  fetch: MatrixExchange,
  version: SeenCell["cell"]["version"],
  consequence: string,
): BlameFinding | undefined {
  const faults = lintCard(cardIn(fetch)).filter(({ level, rule }) => level === "error" && rule !== undefined);
  const [first] = faults;
  if (!first) return undefined;
  return {
    code: "card-breaks-rule",
    about: "card",
    title: `the card breaks the specification: ${first.message}`,
    explanation: `The server's card breaks ${faults.length === 1 ? "a rule" : `${faults.length} rules`} about cards (${first.message}). A client may reject such a card${consequence}.`,
    reasons: faults.slice(0, 5).map(({ message, path, rule }) => ({
      says: message,
      exchange: fetch.id,
      at: { answer: { path } },
      ...citing(rule!, version),
    })),
  };
}

const capabilities: Readonly<Record<string, readonly [flag: string, name: string]>> = {
  stream: ["streaming", "streaming"],
  subscribe: ["streaming", "streaming"],
  "push.create": ["pushNotifications", "push notifications"],
  "push.get": ["pushNotifications", "push notifications"],
  "push.list": ["pushNotifications", "push notifications"],
  "push.delete": ["pushNotifications", "push notifications"],
};

export function notOffered({ step, failure, operation }: SeenCell, fetch: MatrixExchange): BlameFinding | undefined {
  const [flag, name] = capabilities[step?.op ?? ""] ?? [];
  const declared = cardIn(fetch)?.["capabilities"];
  if (flag === undefined || (isObject(declared) && declared[flag] === true)) return undefined;
  const at = { exchange: fetch.id, at: { answer: { path: `$.capabilities.${flag}` } } };
  const says = `the card does not declare capabilities.${flag}: true`;
  const wantsRefusal = ["no-error", "other-error", "error-not-surfaced"].includes(failure.code);
  return wantsRefusal
    ? {
        code: "refused-by-itself",
        about: `refused/${operation}`,
        title: `the client itself rejects ${operation}`,
        explanation: `The card does not declare ${name}, and the client rejected ${operation} without asking the server. The scenario expects the server to reject it. The specification forbids neither, so neither side is at fault.`,
        reasons: [{ says, ...at }],
      }
    : {
        code: "not-offered",
        about: `not-offered/${flag}`,
        title: `the card does not declare ${name}`,
        explanation: `The scenario needs ${name}. The server's card does not declare it, and the client correctly did not use it.`,
        reasons: [{ says, ...at }],
      };
}
