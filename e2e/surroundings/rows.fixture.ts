import type { TestOptions } from "@assay/suite";

/** How Assay tests the agent in each of its surroundings, and the expected result. */
export interface Row {
  /** the id of a surrounding or of a variant */
  readonly id: string;
  readonly comes: Outcome;
  /** the agent (default: /spec) */
  readonly base?: string;
  /** options of the run (default: only JSON-RPC, depth quick, one call at a time) */
  readonly run?: Partial<TestOptions>;
  /** the idle timeout of the run (default: one minute) */
  readonly idleMs?: number;
  /** the scale of the delays of the surrounding (default: 0.1) */
  readonly timeScale?: number;
  /** text that a line of the summary must contain */
  readonly says?: RegExp;
  /** the test mostly waits, so it can run beside others */
  readonly waits?: true;
}

export type Outcome = "conformant" | "not conformant" | "inconclusive";

const everyBinding = { bindings: ["JSONRPC", "HTTP+JSON", "GRPC"] } as const;
const overRest = { bindings: ["HTTP+JSON"] } as const;
/** Rules that cause no work: errors, unknown ids, versions. */
const free = { depth: "free" } as const;
/** Rules about messages, tasks and streams. */
const core = { only: ["SEND-*", "GET-*", "LIFE-*", "CTX-*", "STREAM-*"] } as const;
/** Rules about whole responses and streams, over JSON-RPC and HTTP+JSON. */
const answers = { bindings: ["JSONRPC", "HTTP+JSON"], only: ["CARD-*", "SEND-*", "GET-*", "STREAM-*"] } as const;
/** Rules about streams of slow tasks. */
const watched = { depth: "full", only: ["SEND-0*", "STREAM-*", "SUB-*", "CANCEL-*", "BIND-*", "PUSH-02*"] } as const;
const cutOff =
  /^\d+ rules? not examined: a stream was cut off after [\d.]+( to [\d.]+)? s, before the end of its task$/;
const lists = { depth: "full", only: ["LIST-*"] } as const;

/** Faults on the way to the agent. */
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
  // This outage takes real time, because Assay has to outlast it.
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
  // Shorter than the pauses of the slow task, so it cuts the streams off.
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
  // Late enough that Assay does not take the stream for a rejected one.
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

/** Faults in the responses of the agent: `/variants/<id>`. */
export const variantRows: readonly Row[] = [
  // The grace period has to be longer than the lag.
  { id: "replica-lag", comes: "conformant", run: { ...lists, ...everyBinding, grace: 3_000 } },
  { id: "sparse-pages", comes: "conformant", run: lists },
  { id: "data-only", comes: "conformant", run: everyBinding },
  { id: "tenant-only", base: "full", comes: "conformant", run: { ...core, ...everyBinding } },
  {
    id: "tenant-router",
    base: "full",
    comes: "conformant",
    run: { only: ["TEN-*", "REST-*", "CAP-*"], bindings: ["HTTP+JSON"] },
  },
  { id: "clock-ahead", comes: "conformant", run: lists },
  { id: "clock-behind", comes: "conformant", run: lists },
  { id: "typed-text", comes: "conformant", run: { only: ["DATA-*"], bindings: ["JSONRPC", "HTTP+JSON"] } },
];
