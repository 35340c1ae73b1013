import type { JsonObject, JsonValue } from "@assay/protocol";

/**
 * The ACTS format in memory: docs/acts-specification.md of a2aproject/A2A, branch conformance-spec. Names
 * differ where the format's own follow YAML spelling.
 */

/** A place in a file; both numbers count from 1. */
export interface SourcePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export const transports = ["jsonrpc", "grpc", "rest"] as const;
export type Transport = (typeof transports)[number];

export const levels = ["must", "should", "may"] as const;
export type Level = (typeof levels)[number];

export const runnerRequirements = [
  "webhook_endpoint",
  "concurrent_streams",
  "stream_disconnect",
  "auth_credentials",
  "header_inspection",
] as const;
export type RunnerRequirement = (typeof runnerRequirements)[number];

export const abstractOperations = [
  "send_message",
  "send_streaming_message",
  "get_task",
  "list_tasks",
  "cancel_task",
  "subscribe_to_task",
  "get_agent_card",
  "get_extended_agent_card",
  "create_push_config",
  "get_push_config",
  "list_push_configs",
  "delete_push_config",
] as const;
export type AbstractOperation = (typeof abstractOperations)[number];

/** The key of Assay's extensions to the format (docs/scenarios.md). */
export const extensionKey = "x-assay";

/** The agent of a test, and the prefix of its rows. */
export interface Whereabouts {
  /** a path below the address of --url; undefined: the agent is at that address itself */
  readonly agent?: string;
  /** the prefix of its row ids; undefined: the name of the binding */
  readonly rows?: string;
  /** the first protocol version that defines the expectation; undefined: all do */
  readonly since?: string;
}

export interface ActsFile {
  readonly file: string;
  readonly actsVersion: string;
  readonly specVersion: string;
  readonly variables: Readonly<Record<string, string>>;
  /** as written, relative to this file */
  readonly includes: readonly { readonly name: string; readonly at: SourcePlace }[];
  readonly suites: readonly Suite[];
}

export interface Suite {
  readonly id: string;
  readonly name: string;
  readonly tests: readonly Test[];
}

export interface Test extends Whereabouts {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly specRef?: string;
  readonly level: Level;
  /** including those of its suite */
  readonly tags: readonly string[];
  /** undefined: every binding */
  readonly transports?: readonly Transport[];
  readonly preconditions: TestPreconditions;
  readonly behaviours: readonly string[];
  readonly requirements: readonly RunnerRequirement[];
  readonly steps: readonly Step[];
  readonly assertions: readonly NamedAssertion[];
  readonly at: SourcePlace;
  /** the rules that interpreted deviations from the grammar */
  readonly rules: readonly AppliedRule[];
}

export interface AppliedRule {
  readonly rule: string;
  readonly at?: SourcePlace;
}

export interface TestPreconditions {
  readonly capabilities: Readonly<Record<string, JsonValue>>;
  readonly skills: readonly string[];
  readonly transports: readonly Transport[];
  readonly extensions: readonly string[];
}

interface StepBase {
  readonly id: string;
  readonly at: SourcePlace;
  readonly assertions: readonly NamedAssertion[];
}

interface Asking extends StepBase {
  /** sent besides the usual headers; over gRPC as metadata */
  readonly sentHeaders: Readonly<Record<string, string>>;
  /** the first protocol version that defines the expectation; undefined: all do */
  readonly since?: string;
  readonly expect?: Expect;
  readonly expectError?: ExpectError;
  readonly expectStream?: ExpectStream;
  /** variable → path in the response */
  readonly captures: Readonly<Record<string, string>>;
}

export interface OperationStep extends Asking {
  readonly is: "operation";
  readonly operation: AbstractOperation;
  readonly params: JsonObject;
  readonly repeat?: Repeat;
  readonly delayMs?: number;
}

export interface RawHttpStep extends Asking {
  readonly is: "raw";
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: JsonValue;
  readonly bodyRaw?: string;
}

export interface ClientStep extends StepBase {
  readonly is: "client";
  readonly operation: AbstractOperation;
  readonly payload: JsonValue;
  readonly expectParsed: Expectation;
}

export interface AssertionStep extends StepBase {
  readonly is: "assertion";
}

export type Step = OperationStep | RawHttpStep | ClientStep | AssertionStep;

export interface Expect extends ExpectHeaders {
  readonly status?: Expectation;
  readonly body?: Expectation;
}

/** Response headers by lower-case name; over gRPC the metadata. */
interface ExpectHeaders {
  readonly headers?: Expectation;
}

export interface ExpectError extends ExpectHeaders {
  /** any of these matches; undefined: any error */
  readonly types?: readonly string[];
  readonly message?: Expectation;
  readonly details?: Expectation;
  /** the error's details as a whole */
  readonly data?: Expectation;
}

export interface ExpectStream extends ExpectHeaders {
  /** the stream is dropped after this many events */
  readonly leaveAfter?: number;
  readonly minCount?: number;
  readonly maxCount?: number;
  readonly timeoutMs?: number;
  readonly ordering?: "monotonic_state";
  readonly events: readonly EventExpectation[];
  readonly finalEvent?: Expectation;
  readonly eachEvent?: Expectation;
}

export interface EventExpectation {
  readonly description?: string;
  /** undefined: anywhere in the stream */
  readonly index?: number;
  /** the first protocol version that defines it; undefined: all do */
  readonly since?: string;
  readonly event: Expectation;
}

export interface Repeat {
  readonly until: Condition;
  readonly maxAttempts: number;
  readonly delayMs: number;
  readonly backoff: "none" | "linear" | "exponential";
}

export interface Condition {
  readonly text: string;
  readonly path: string;
  readonly operator: "==" | "!=" | "in";
  readonly values: readonly JsonValue[];
}

export interface NamedAssertion {
  readonly description?: string;
  readonly source: string;
  readonly path?: string;
  readonly match?: Expectation;
  readonly any?: CollectionMatch;
  readonly all?: CollectionMatch;
  readonly none?: CollectionMatch;
  /** the first protocol version that defines it; undefined: all do */
  readonly since?: string;
  readonly at: SourcePlace;
}

export interface CollectionMatch {
  readonly path: string;
  readonly match: Expectation;
}

export const jsonTypes = ["string", "number", "boolean", "array", "object", "null"] as const;
export type JsonType = (typeof jsonTypes)[number];

/** The expectation of one value. */
export type Expectation =
  /** exactly this value */
  | { readonly is: "value"; readonly value: JsonValue; readonly at: SourcePlace }
  /** elements by position; more may follow */
  | { readonly is: "list"; readonly items: readonly Expectation[]; readonly at: SourcePlace }
  /** all operators hold, and all members match */
  | {
      readonly is: "shape";
      readonly operators: readonly Operator[];
      readonly members: readonly (readonly [string, Expectation])[];
      readonly at: SourcePlace;
    };

export type Operator =
  | { readonly op: "type"; readonly value: JsonType }
  | { readonly op: "exists" }
  | { readonly op: "absent" }
  | { readonly op: "contains" | "matches" | "starts_with" | "ends_with"; readonly value: string }
  | { readonly op: "gte" | "lte" | "gt" | "lt"; readonly value: number }
  | { readonly op: "count" | "count_gte" | "count_lte"; readonly value: number }
  | { readonly op: "one_of" | "all_of" | "any_of"; readonly of: readonly Expectation[] }
  | { readonly op: "not"; readonly of: Expectation }
  /** every element */
  | { readonly op: "items"; readonly of: Expectation };
