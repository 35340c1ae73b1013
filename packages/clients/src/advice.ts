import { type ClientCall, type ClientRequest, callsOf, type Situation } from "@assay/suite";

/** The behaviour of a client in a situation with faults. */
interface UnderFault {
  readonly situation: Situation;
  readonly requests: readonly ClientRequest[];
}

/**
 * Returns advice for a client that copes badly with a fault. It is never a verdict: the specification has no rule about
 * it.
 */
export function adviceOn({ situation, requests }: UnderFault): readonly string[] {
  const calls = callsOf(requests);
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
