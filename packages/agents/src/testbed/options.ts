import type { AnswerOf, JsonObject, RequestOf, UnaryOperation } from "@assay/protocol/core";
import type { Budgets, ServedRecorder, ServerLimits, TlsOptions, WireReply, WireRequest } from "@assay/wire/server";
import type { AgentDefinition } from "../definition/agent.ts";
import type { LoggedRequest } from "../operating/request-log.ts";
import type { OutageNotice } from "../operating/store-outage.ts";
import type { Tracing } from "../operating/tracing.ts";
import type { RetryPolicy } from "../push/retries.ts";
import type { Families } from "../server/agent-directory.ts";
import type { Quotas } from "../server/quotas.ts";
import type { DeadLetter } from "../store/dead-letter.ts";
import type { StoreSettings } from "./database-keeping.ts";
import type { ProfileOptions } from "./profiles.ts";

export interface TestbedOptions {
  readonly host: string;
  readonly port: number;
  readonly version: string;
  readonly publicUrl?: string;
  /** hosts that the test bed may call and be called by, besides its own */
  readonly allowedHosts?: readonly string[];
  /** lets webhooks and relays reach private networks */
  readonly allowPrivate?: boolean;
  readonly origins?: readonly string[];
  readonly timeScale?: number;
  readonly tls?: TlsOptions;
  readonly limits?: Partial<ServerLimits>;
  readonly maxTasks?: number;
  /** keeps tasks in a database; in memory unless given */
  readonly store?: StoreSettings;
  /** bytes that are held for clients: for all together, and for one of them */
  readonly budgets?: Partial<Budgets>;
  /** how long a task may stay open without anything happening to it; an hour unless given */
  readonly waitMs?: number;
  /** what one caller may have besides memory; as much as it likes unless given */
  readonly quotas?: Quotas;
  /** how often, and for how long, a notification is tried */
  readonly retries?: RetryPolicy;
  /** how many notifications that could not be delivered are kept for one caller */
  readonly deadLetters?: number;
  /** is told of every notification that could not be delivered, and of which agent it is */
  readonly onUndelivered?: (agent: string, letter: DeadLetter) => void;
  /** a place for operators: /health, /ready and /metrics, which then is not on the port of the agents */
  readonly operations?: { readonly host: string; readonly port: number };
  /** gives every agent a gRPC port of its own: this one, and those that follow it */
  readonly grpcPort?: number;
  /** how often in a row relays may pass something on; four times unless given */
  readonly relayLinks?: number;
  /** tunes `/spec`, and for the TCK also `/spec03`, `/minimal` and `/strict`, to what a suite expects */
  readonly profile?: ProfileOptions;
  /** puts this mutant in the place of its base, or, with `@` and its path, of another agent */
  readonly mutant?: string;
  /** serves these in the place of the agents of the test bed */
  readonly agents?: readonly AgentDefinition[];
  /** the agent that answers at the root of the site, and over gRPC without a tenant, by its path; `spec` unless given */
  readonly root?: string;
  /** what the agents that leave something to chance draw from: the same seed, the same moods; 1 unless given */
  readonly seed?: number;
  /** answers that are ready at the same time leave together; true unless given (benchmarks measure both) */
  readonly answersTogether?: boolean;
  readonly onError?: (error: unknown) => void;
  /** is told once when the store becomes unavailable, and once when it takes writes again; `onError` is told unless given */
  readonly onOutage?: (outage: OutageNotice) => void;
  /** answers what it takes for its own before any agent does; false for everything else */
  readonly before?: (request: WireRequest, reply: WireReply) => boolean;
  /** writes down what crosses the test bed */
  readonly recorder?: ServedRecorder;
  /** is told of every request when it is over */
  readonly onServed?: (request: LoggedRequest) => void;
  /** traces requests, skills, the store and calls to others; it is closed by what opened it */
  readonly tracing?: Tracing;
}

export interface Testbed {
  readonly url: string;
  readonly port: number;
  /** where operators look, if that is a place of its own */
  readonly operationsUrl: string | undefined;
  readonly agents: readonly AgentDefinition[];
  /** the agents that are wrong or odd on purpose */
  families(): Promise<Families>;
  /** the card of an agent, as it is served at the address of the test bed; undefined where there is no such agent */
  cardOf(path: string): Promise<JsonObject> | undefined;
  /** Carries out an operation as if a client had asked for it that is nobody in particular, or the one that is named. */
  perform<O extends UnaryOperation>(
    path: string,
    operation: O,
    request: RequestOf<O>,
    as?: { readonly caller?: string; readonly tenant?: string },
  ): Promise<AnswerOf<O>>;
  /** Says that it is not ready, and asks clients to go elsewhere; all that come are served. */
  retire(): void;
  /** Ends it: skills may come to their rest within `graceMs`, if it is given, and tasks that do not fail; answers are finished. */
  close(graceMs?: number): Promise<void>;
}
