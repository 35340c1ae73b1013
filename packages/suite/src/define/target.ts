import type { JsonObject, Message, Operation, Part, StreamingOperation, UnaryOperation } from "@assay/protocol";
import type { Exchange, Handshake, HeaderPairs, PeerInterface, RawStep, RequestSpec, TlsVersion } from "@assay/wire";
import type { LooseTask } from "../answers/reading.ts";
import type { AgentFacts } from "../card/agent-facts.ts";
import type { WebhookReceiver } from "../webhook/receiver.ts";
import type { Call } from "./call.ts";
import type { Expectations } from "./expectations.ts";
import type { LiveStream } from "./live-stream.ts";
import type { Observation } from "./observation.ts";
import type { PrincipalName } from "./principal.ts";
import type { PromptKind } from "./prompt-kind.ts";

/**
 * One interface of the agent under test, and everything that a check may do with it. Assay records every request,
 * judges it by the passive checks, limits its rate and cleans up afterwards.
 */
export interface Target {
  readonly on: PeerInterface;
  readonly facts: AgentFacts;
  readonly principal: PrincipalName;
  readonly strict: boolean;
  /** the operator declares it a production deployment */
  readonly production: boolean;
  /** facts about the agent that only the operator knows */
  readonly expectations: Expectations;
  /** milliseconds after which a response counts as missing; for unrequested events see `due` */
  readonly grace: number;
  /** milliseconds to wait for something that must not happen: too short misses a fault but never accuses wrongly */
  readonly quiet: number;
  /** milliseconds by which GetTask may be out of date; 0 unless the agent was seen to lag */
  readonly lag: number;
  /** milliseconds a task may take */
  readonly taskTimeout: number;
  /** all tested interfaces of the same version, including this one */
  readonly sameVersion: readonly Target[];
  /** the tested interfaces of other protocol versions */
  readonly otherVersions: readonly Target[];
  /**
   * callers that the agent must reject, with the flaw of their credentials, and the same callers without the flawed
   * part
   */
  readonly invalidCallers: readonly { readonly flaw: string; readonly caller: Target; readonly besides: Target }[];
  /** the operator gave credentials */
  readonly showsCredentials: boolean;
  /** the certificate of the connection identifies the principal, or could */
  readonly showsCertificate: boolean;
  /** the same interface for another principal; undefined without credentials for it */
  as(principal: PrincipalName): Target | undefined;
  /** the same interface under another tenant */
  under(tenant: string | undefined): Target;

  /** Calls an operation with JSON of 1.0, valid or not, and adds the tenant of the interface. */
  call(operation: UnaryOperation, params: JsonObject, how?: How): Promise<Call>;
  /** Opens the stream of an operation. */
  open(operation: StreamingOperation, params: JsonObject, how?: How): Promise<LiveStream>;
  /** Sends an HTTP request to the interface: the request of `operation`, changed by `change`. */
  http(operation: Operation, params: JsonObject, change: HttpChange, how?: How): Promise<Call>;
  /** Sends raw bytes to the interface's address. */
  raw(steps: readonly RawStep[]): Promise<Exchange>;
  /** Makes a TLS handshake with exactly this version. */
  shakeHands(version: TlsVersion): Promise<Handshake>;
  /** Sends any other request to the agent's host, for example for its card. */
  fetch(request: RequestSpec): Promise<Exchange>;

  /** Returns a message that is known to trigger a behaviour, with a fresh id. */
  message(kind: PromptKind, more?: Partial<Message>): Message;
  hasPrompt(kind: PromptKind): boolean;
  /** Returns a text in the form that the agent reads, after the given parts. */
  say(text: string, behind?: readonly Part[]): Part[];
  /**
   * Sends a message, and retries when the agent is busy or fails once. Only for observations that declare it in
   * `messages`.
   */
  send(kind: PromptKind, more?: SendMore): Promise<Call>;
  /** Sends a message in the same way, as a stream. */
  stream(kind: PromptKind, more?: SendMore): Promise<LiveStream>;

  /** Returns how many messages this observation may send without using up those of others. */
  messagesLeft(): number;
  /** Returns a task of this run on this interface, as last seen. */
  knownTask(isMeant: (task: LooseTask) => boolean): LooseTask | undefined;
  /** Returns the ids of the push configurations that the agent stored for a task, and of those it deleted. */
  configsOf(taskId: string): { readonly stored: readonly string[]; readonly deleted: readonly string[] };
  /** Returns the result of another observation, which must be listed in `uses`. */
  observe<T>(observation: Observation<T>): Promise<T>;

  /** Returns an id that looks like the agent's ids and that the agent never issued. */
  unknownId(): string;
  readonly webhook: WebhookReceiver | undefined;
  /** Waits for something that must happen by itself, as long as this agent may fairly take. */
  due<T>(what: Due, wait: (withinMs: number) => Promise<T>, hasCome: (seen: T) => boolean): Promise<T>;
  sleep(ms: number): Promise<void>;
  now(): number;
}

/** The differences between a request and a plain one. */
export interface How {
  /** fields to add; over gRPC, metadata */
  readonly headers?: HeaderPairs;
  /** query parameters, replacing those of the principal; none over gRPC */
  readonly query?: HeaderPairs;
  /** changes all fields last, including the version and the credentials */
  readonly edit?: (headers: HeaderPairs) => HeaderPairs;
  /** true if a server must understand the request (default: true if its JSON matches the schema) */
  readonly fair?: boolean;
  /**
   * A conforming agent rejects this message (an unknown task, a wrong version). It counts only if accepted, and Assay
   * does not send it if that would exceed the message limit.
   */
  readonly refusable?: true;
  /** sends the parameters without translation to the interface's version */
  readonly literal?: true;
  /** uses the first response, even if the agent is busy or fails */
  readonly unrepeated?: true;
  /** closing the connection without a response is an acceptable rejection; only the exit of the process is a crash */
  readonly mayHangUp?: true;
  /**
   * returns the response even if the agent has purged the ended task; otherwise everything that needs the task is not
   * examined
   */
  readonly mayBeGone?: true;
  /** uses a new connection, because others may have closed a pooled one */
  readonly fresh?: true;
  /** asks only if something answers there, so trouble of the network is returned and not retried */
  readonly contact?: true;
  /**
   * names a request whose response does not depend on when it is sent: everyone who makes the same call under this
   * name gets the same response
   */
  readonly share?: string;
  /** milliseconds after which Assay closes the connection */
  readonly timeout?: number;
  /** milliseconds after which a silent stream counts as open */
  readonly opensWithin?: number;
}

/** Changes the verb, address or body of an operation's request. */
export type HttpChange = (request: {
  readonly method: string;
  readonly url: string;
  readonly headers: HeaderPairs;
  readonly body?: Uint8Array;
}) => {
  readonly method: string;
  readonly url: string;
  readonly headers: HeaderPairs;
  readonly body?: Uint8Array;
};

export interface SendMore extends How {
  /** members of the message: `taskId`, `contextId`, other parts */
  readonly message?: Partial<Message>;
  readonly parts?: readonly Part[];
  readonly configuration?: JsonObject;
  readonly metadata?: JsonObject;
}

/**
 * Events that an agent owes without another request: a stream closes, a webhook is notified, a list or read shows a
 * change, a cancel takes effect. Each has its own time limit.
 */
export type Due = "close" | "notify" | "list" | "read" | "cancel";

/** The waiting time that the user must allow for rules about events that must not happen. */
export const patienceMs = 60_000;
