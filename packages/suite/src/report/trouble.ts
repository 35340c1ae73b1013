/** The kinds of network or gateway trouble. Groups use the code and status, never the text. */
export const troubleCodes = [
  /** a gateway answered in place of the agent: 502, 504, 408 */
  "gateway",
  /** rejected with 429 or 503 on every attempt */
  "turned-away",
  /** no connection: refused, no route, no name, TLS */
  "unreachable",
  /** the connection was reset before the response was complete */
  "reset",
  /** the connection was closed before the response was complete */
  "closed-early",
  /** no byte arrived in time */
  "timeout",
  /** a stream that had begun was ended by the network or a gateway */
  "stream-cut",
] as const;

export type TroubleCode = (typeof troubleCodes)[number];

export interface TransportTrouble {
  readonly code: TroubleCode;
  /** HTTP status, where there was a response */
  readonly status?: number;
  /** from the start of the request until it happened */
  readonly seconds?: number;
}

/** The slow-down of a run for an agent that rejected requests with 429, 503 or a gRPC equivalent. */
export interface SlowedDown {
  /** rejected requests */
  readonly turnedAway: number;
  /** HTTP status of the first of them; absent over gRPC */
  readonly status?: number;
  /** the final rate */
  readonly requestsPerSecond: number;
}

/** "429 returned to 14 requests; Assay slowed down to 5.2 requests per second" */
export function slowedDownText({ turnedAway, status, requestsPerSecond }: SlowedDown): string {
  const what = status === undefined ? "UNAVAILABLE or RESOURCE_EXHAUSTED" : `HTTP ${status}`;
  const requests = turnedAway === 1 ? "1 request" : `${turnedAway} requests`;
  return `${what} returned to ${requests}; Assay slowed down to ${requestsPerSecond} requests per second`;
}

/** The shortest and the longest of several times. */
export type SecondsRange = readonly [least: number, most: number];

/** "a gateway returned 504 after 3 s" */
export function troubleText({ code, status }: TransportTrouble, range?: SecondsRange): string {
  const after = range === undefined ? "" : ` after ${secondsText(range)}`;
  switch (code) {
    case "gateway":
      return `a gateway returned ${status}${after}`;
    case "turned-away":
      return status === undefined
        ? "the agent or a gateway was unavailable on every attempt"
        : `the agent or a gateway returned ${status} on every attempt`;
    case "unreachable":
      return "Assay could not connect to the agent";
    case "reset":
      return `the connection was reset${after}, before the response was complete`;
    case "closed-early":
      return `the connection was closed${after}, before the response was complete`;
    case "timeout":
      return range === undefined ? "no response arrived in time" : `no response arrived within ${secondsText(range)}`;
    case "stream-cut":
      return `a stream was cut off${after}, before the end of its task`;
  }
}

/** "3 s", "2 to 5 s", "0.3 s" */
export function secondsText([least, most]: SecondsRange): string {
  const [from, to] = [rounded(least), rounded(most)];
  return from === to ? `${to} s` : `${from} to ${to} s`;
}

const rounded = (seconds: number): number =>
  seconds < 1 ? Math.max(0.1, Math.round(seconds * 10) / 10) : Math.round(seconds);
