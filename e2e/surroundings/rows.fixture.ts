import type { TestOptions } from "@assay/suite";

/** How the agent is tested in each of its surroundings, and what the run has to come to. */
export interface Row {
  /** of a surrounding, or of a variant */
  readonly id: string;
  readonly comes: Outcome;
  /** /spec unless given */
  readonly base?: string;
  /** JSON-RPC alone, quickly, one call at a time, unless it says more */
  readonly run?: Partial<TestOptions>;
  /** how long the run waits for a byte; a minute unless given */
  readonly idleMs?: number;
  /** of the delays of the surrounding; a tenth unless given */
  readonly timeScale?: number;
  /** what a line of the summary has to say of it */
  readonly says?: RegExp;
  /** most of its time nothing happens: others may run meanwhile */
  readonly waits?: true;
}

export type Outcome = "conformant" | "not conformant" | "inconclusive";

const everyBinding = { bindings: ["JSONRPC", "HTTP+JSON", "GRPC"] } as const;
const overRest = { bindings: ["HTTP+JSON"] } as const;
/** Nothing that makes the agent work: errors, unknown ids, versions. */
const free = { depth: "free" } as const;
/** Messages, tasks and streams. */
const core = { only: ["SEND-*", "GET-*", "LIFE-*", "CTX-*", "STREAM-*"] } as const;
/** Whole answers and streams, over both bindings of HTTP. */
const answers = { bindings: ["JSONRPC", "HTTP+JSON"], only: ["CARD-*", "SEND-*", "GET-*", "STREAM-*"] } as const;
/** Streams of tasks that take their time, and what becomes of them. */
const watched = { depth: "full", only: ["SEND-0*", "STREAM-*", "SUB-*", "CANCEL-*", "BIND-*", "PUSH-02*"] } as const;
const cutOff =
  /^\d+ rules? not examined: a stream was cut off after [\d.]+( to [\d.]+)? s, before the end of its task$/;
const lists = { depth: "full", only: ["LIST-*"] } as const;

/** On the way to the agent. */
export const surroundingRows: readonly Row[] = [
  { id: "gateway-blip", comes: "conformant", run: free },
  { id: "gateway-502-now-and-then", comes: "conformant", run: free },
  {
    id: "gateway-504-on-send",
    comes: "inconclusive",
    says: /^\d+ rules not examined: a gateway returned 504 after [\d.]+( to [\d.]+)? s$/,
  },
  { id: "gateway-502-on-send", comes: "conformant", run: core },
  { id: "gateway-503", comes: "conformant", run: free },
  {
    id: "rate-limit",
    comes: "conformant",
    run: { only: ["SEND-00*", "GET-00*"] },
    waits: true,
    says: /^HTTP 429 returned to \d+ requests?; Assay slowed down to [\d.]+ requests per second$/,
  },
  { id: "rate-limit-without-retry-after", comes: "conformant", run: free },
  { id: "payment-required", comes: "inconclusive" },
  { id: "prompt-forbidden", comes: "inconclusive" },
  // The time in which nothing listens is real: a tester has to outlast it.
  { id: "restart", comes: "conformant", run: core, timeScale: 1, waits: true },
  { id: "restart-forgets", comes: "conformant", run: core },
  { id: "restarts-at-random", comes: "conformant", run: { ...core, depth: "full" }, timeScale: 1, waits: true },
  { id: "death", comes: "inconclusive", run: { ...free, ...everyBinding } },
  { id: "reset-of-pooled-connections", comes: "conformant", run: { ...free, ...overRest } },
  { id: "reset-of-fresh-connections", comes: "conformant", run: { ...free, ...overRest } },
  { id: "early-close", comes: "conformant", run: free },
  { id: "reset-on-send", comes: "conformant", run: core },
  { id: "early-close-on-send", comes: "conformant", run: core },
  { id: "cut-stream", comes: "conformant", run: { depth: "full", only: ["STREAM-*"] } },
  // Shorter than the pauses of the slow task, so that its streams are cut off.
  { id: "streams-closed-on-pause", comes: "conformant", run: watched, timeScale: 0.01, says: cutOff },
  { id: "streams-reset-on-pause", comes: "conformant", run: watched, timeScale: 0.01, says: cutOff },
  {
    id: "goaway-on-pause",
    comes: "conformant",
    run: { ...watched, bindings: ["GRPC"] },
    timeScale: 0.01,
    says: cutOff,
  },
  { id: "connection-close", comes: "conformant", run: answers },
  { id: "late-answer", comes: "conformant", run: answers },
  // Later than anything that could be taken for a stream that was turned away.
  {
    id: "late-first-event",
    comes: "conformant",
    run: { only: ["STREAM-001", "STREAM-003"], taskTimeout: 30_000 },
    timeScale: 1,
    waits: true,
  },
  { id: "never-answers", comes: "inconclusive", idleMs: 300 },
  { id: "more-headers", comes: "conformant", run: answers },
  { id: "lower-case-headers", comes: "conformant", run: answers },
  { id: "rechunked", comes: "conformant", run: answers },
  { id: "gzip", comes: "conformant", run: answers },
  { id: "http-1.0", comes: "conformant", run: answers },
];

/** In what the agent says: `/variants/<id>`. */
export const variantRows: readonly Row[] = [
  // Grace has to outlast the lag.
  { id: "replica-lag", comes: "conformant", run: { ...lists, ...everyBinding, grace: 3_000 } },
  { id: "sparse-pages", comes: "conformant", run: lists },
  { id: "data-only", comes: "conformant", run: everyBinding },
  { id: "tenant-only", base: "full", comes: "conformant", run: { ...core, ...everyBinding } },
  { id: "clock-ahead", comes: "conformant", run: lists },
  { id: "clock-behind", comes: "conformant", run: lists },
  { id: "typed-text", comes: "conformant", run: { only: ["DATA-*"], bindings: ["JSONRPC", "HTTP+JSON"] } },
];
