import type { AnswerOf, JsonObject, RequestOf, UnaryOperation } from "@assay/protocol/core";
import type {
  Budgets,
  GrpcCall,
  ServedRecorder,
  ServerLimits,
  TlsOptions,
  WireReply,
  WireRequest,
} from "@assay/wire/server";
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
  /** hosts besides its own that the test bed may call and that may call it */
  readonly allowedHosts?: readonly string[];
  /** lets webhooks and relays reach private networks */
  readonly allowPrivate?: boolean;
  readonly origins?: readonly string[];
  readonly timeScale?: number;
  readonly tls?: TlsOptions;
  readonly limits?: Partial<ServerLimits>;
  readonly maxTasks?: number;
  /** keeps tasks in a database (default: in memory) */
  readonly store?: StoreSettings;
  /** bytes held for clients: for all together, and for one of them */
  readonly budgets?: Partial<Budgets>;
  /** how long a task may stay open without activity (default: one hour) */
  readonly waitMs?: number;
  /** limits of one caller besides memory (default: none) */
  readonly quotas?: Quotas;
  /** how often and for how long a notification is tried */
  readonly retries?: RetryPolicy;
  /** maximum number of undelivered notifications kept for one caller */
  readonly deadLetters?: number;
  /** called for every undelivered notification with the path of its agent */
  readonly onUndelivered?: (agent: string, letter: DeadLetter) => void;
  /** a separate address for operators: /health, /ready and /metrics, which then is not on the agents' port */
  readonly operations?: { readonly host: string; readonly port: number };
  /** gives every agent a dedicated gRPC port, starting with this one */
  readonly grpcPort?: number;
  /** maximum number of relays in a row (default: 4) */
  readonly relayLinks?: number;
  /**
   * tunes `/spec`, and for the TCK also `/spec03`, `/minimal` and `/strict`, to the expectations of a suite
   */
  readonly profile?: ProfileOptions;
  /** replaces the base of this mutant or, with `@` and a path, another agent */
  readonly mutant?: string;
  /** replaces the agents of the test bed */
  readonly agents?: readonly AgentDefinition[];
  /** path of the agent at the root of the site, and for gRPC without a tenant (default: `spec`) */
  readonly root?: string;
  /** seed of agents with random behaviour (default: 1) */
  readonly seed?: number;
  /** sends responses that are ready at the same time together (default: true; benchmarks measure both) */
  readonly answersTogether?: boolean;
  readonly onError?: (error: unknown) => void;
  /**
   * called once when the store becomes unavailable, and once when it accepts writes again (default: calls
   * `onError`)
   */
  readonly onOutage?: (outage: OutageNotice) => void;
  /** handles a request before any agent does; returns false if it is not its own */
  readonly before?: (request: WireRequest, reply: WireReply) => boolean;
  /** handles a gRPC call before any agent does; returns false if it is not its own */
  readonly beforeGrpc?: (call: GrpcCall) => boolean;
  /** records the traffic of the test bed */
  readonly recorder?: ServedRecorder;
  /** called for every completed request */
  readonly onServed?: (request: LoggedRequest) => void;
  /** traces requests, skills, the store and outgoing calls; its creator closes it */
  readonly tracing?: Tracing;
}

export interface Testbed {
  readonly url: string;
  readonly port: number;
  /** the address for operators, if it is separate */
  readonly operationsUrl: string | undefined;
  readonly agents: readonly AgentDefinition[];
  /** the agents that are wrong or odd on purpose */
  families(): Promise<Families>;
  /** the card of an agent at the address of the test bed; undefined for an unknown agent */
  cardOf(path: string): Promise<JsonObject> | undefined;
  /** Performs an operation as an anonymous client, or as the named caller. */
  perform<O extends UnaryOperation>(
    path: string,
    operation: O,
    request: RequestOf<O>,
    as?: { readonly caller?: string; readonly tenant?: string },
  ): Promise<AnswerOf<O>>;
  /** Reports not ready and asks clients to disconnect, but still serves all requests. */
  retire(): void;
  /**
   * Shuts down: skills may finish within `graceMs`, the remaining tasks fail, and responses are completed.
   */
  close(graceMs?: number): Promise<void>;
}
