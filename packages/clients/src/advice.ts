import { type ClientCall, type ClientRequest, callsOf, type Situation } from "@assay/suite";

/** The behaviour of a client in a situation. */
interface Behaviour {
  readonly situation: Situation;
  readonly requests: readonly ClientRequest[];
}

/**
 * Returns advice for a client that copes badly with a situation. It is never a verdict: the specification has no rule
 * about it.
 */
export function adviceOn({ situation, requests }: Behaviour): readonly string[] {
  const calls = callsOf(requests);
  if (situation.id === "foreign-interface") return onForeignHost(calls);
  const hit = calls.findIndex(({ exchange }) => exchange.faults);
  if (hit < 0) return [];
  const later = calls.slice(hit + 1);
  switch (situation.id) {
    case "rate-limited":
      return afterLimit(calls[hit]!, later);
    case "no-second-stream":
      return later.some(({ operation }) => operation === "GetTask")
        ? []
        : ["advice: after a lost stream and a failed SubscribeToTask, read the task with GetTask"];
    default:
      return [];
  }
}

/** The agent asks for one second. A client that waits for most of it has read the header. */
const leastMs = 900;

function afterLimit(limited: ClientCall, [next]: readonly ClientCall[]): readonly string[] {
  if (!next) return ["advice: after 429, repeat the request when the time in Retry-After is over"];
  const { startedAt, end } = limited.exchange.timing;
  const waited = Math.round(Date.parse(next.exchange.timing.startedAt) - Date.parse(startedAt) - end);
  return waited < leastMs
    ? [
        `advice: wait for the time in Retry-After (1 s) before the next request; the client waited ${Math.max(waited, 0)} ms`,
      ]
    : [];
}

/** All interfaces of the card are on another host than the card, which anyone may have written. */
const onForeignHost = (calls: readonly ClientCall[]): readonly string[] =>
  calls.some(({ exchange }) => exchange.http.request.headers.some(([name]) => name.toLowerCase() === "authorization"))
    ? [
        "advice: the client sends its token to a host that only the card names; ask the user first, or bind each token to its host",
      ]
    : [];
