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
 * One interface of the agent under test, and everything a check may do with it. Whatever is asked here is recorded,
 * judged by the passive checks, kept to the pace that was set, and cleaned up afterwards.
 */
export interface Target {
  readonly on: PeerInterface;
  readonly facts: AgentFacts;
  readonly principal: PrincipalName;
  readonly strict: boolean;
  /** the operator calls it a production deployment */
  readonly production: boolean;
  /** what the operator knows about the agent */
  readonly expectations: Expectations;
  /** milliseconds that an answer may take before it counts as absent; for what comes unasked, see `due` */
  readonly grace: number;
  /** milliseconds to listen for something that must not happen: too short overlooks a fault, and makes no false accusation */
  readonly quiet: number;
  /** milliseconds by which what GetTask shows may be out of date; 0 unless the agent was seen to lag */
  readonly lag: number;
  /** milliseconds a task may take */
  readonly taskTimeout: number;
  /** all tested interfaces of the same protocol version, this one included */
  readonly sameVersion: readonly Target[];
  /** the tested interfaces of other protocol versions */
  readonly otherVersions: readonly Target[];
  /** callers that the agent must refuse: why their credentials are no good, and who shows only what goes with those */
  readonly invalidCallers: readonly { readonly flaw: string; readonly caller: Target; readonly besides: Target }[];
  /** the operator gave credentials */
  readonly showsCredentials: boolean;
  /** the principal is known by the certificate of its connection, or could be */
  readonly showsCertificate: boolean;
  /** the same interface for another principal; undefined where we have no such credentials */
  as(principal: PrincipalName): Target | undefined;
  /** the same interface under another tenant */
  under(tenant: string | undefined): Target;

  /** Calls an operation with this JSON of 1.0, right or wrong. The interface's tenant is added. */
  call(operation: UnaryOperation, params: JsonObject, how?: How): Promise<Call>;
  /** Opens the stream of an operation. */
  open(operation: StreamingOperation, params: JsonObject, how?: How): Promise<LiveStream>;
  /** Sends an HTTP request to the interface: whatever `request` makes of the one that `operation` would be. */
  http(operation: Operation, params: JsonObject, change: HttpChange, how?: How): Promise<Call>;
  /** Sends bytes to the interface's address, as no HTTP client would. */
  raw(steps: readonly RawStep[]): Promise<Exchange>;
  /** Shakes hands with the interface's address in this version of TLS and no other. */
  shakeHands(version: TlsVersion): Promise<Handshake>;
  /** Any other request to the agent's host, such as for its card. */
  fetch(request: RequestSpec): Promise<Exchange>;

  /** A message known to bring about a behaviour, with a fresh id. */
  message(kind: PromptKind, more?: Partial<Message>): Message;
  hasPrompt(kind: PromptKind): boolean;
  /** A text in the form in which the agent reads it; behind what these parts say, where there are any. */
  say(text: string, behind?: readonly Part[]): Part[];
  /**
   * Sends a message, and again when it is pressed or breaks down for once. Only for
   * observations that announced it with `messages`.
   */
  send(kind: PromptKind, more?: SendMore): Promise<Call>;
  /** The same as a stream. */
  stream(kind: PromptKind, more?: SendMore): Promise<LiveStream>;

  /** Messages that this observation may send without leaving none for others. */
  messagesLeft(): number;
  /** A task of this run that came by over this interface, whatever it was made for, as it was last shown. */
  knownTask(isMeant: (task: LooseTask) => boolean): LooseTask | undefined;
  /** The ids of the push configurations that the agent has stored for a task and not deleted, and of those that it has. */
  configsOf(taskId: string): { readonly stored: readonly string[]; readonly deleted: readonly string[] };
  /** What another observation saw; it must be named in `uses`. */
  observe<T>(observation: Observation<T>): Promise<T>;

  /** An id that looks like the agent's own, and that it never gave to anything. */
  unknownId(): string;
  readonly webhook: WebhookReceiver | undefined;
  /** Waits for something that must happen by itself: as long as this agent may fairly take for it. */
  due<T>(what: Due, wait: (withinMs: number) => Promise<T>, hasCome: (seen: T) => boolean): Promise<T>;
  sleep(ms: number): Promise<void>;
  now(): number;
}

/** How a request differs from the plain one. */
export interface How {
  /** fields to add; over gRPC, metadata */
  readonly headers?: HeaderPairs;
  /** parameters of the address, in the place of the principal's own; over gRPC there are none */
  readonly query?: HeaderPairs;
  /** the last word on all fields, the version and the credentials included */
  readonly edit?: (headers: HeaderPairs) => HeaderPairs;
  /** whether the request is one that a server must understand; unless given, whether its JSON fits the schema */
  readonly fair?: boolean;
  /**
   * A send that a conforming agent refuses (an unknown task, a wrong version): it is counted only where it is accepted,
   * and not sent where that would be one message too many.
   */
  readonly refusable?: true;
  /** the parameters are the JSON of the interface itself: nothing is translated, whatever version it speaks */
  readonly literal?: true;
  /** the first answer counts, also that of an agent that is pressed or breaks down */
  readonly unrepeated?: true;
  /** closing the connection without a response is a fair way to refuse it */
  readonly mayHangUp?: true;
  /**
   * The answer is wanted also where the agent has purged the task after its end. Without this, whatever needed the task
   * is not examined then.
   */
  readonly mayBeGone?: true;
  /** over a connection of its own: a pooled one may have been closed for reasons of the surroundings */
  readonly fresh?: true;
  /** whether anything answers there is the question: what the surroundings did to the call is handed on */
  readonly contact?: true;
  /** milliseconds after which we hang up */
  readonly timeout?: number;
  /** milliseconds after which a stream on which nothing has come is taken for open */
  readonly opensWithin?: number;
}

/** Another verb, address or body for the request of an operation. */
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
 * What an agent owes without being asked once more: that a stream closes, a webhook is told, a list or a read shows what was
 * written, a cancel comes about. How long it takes for each is a matter of its own.
 */
export type Due = "close" | "notify" | "list" | "read" | "cancel";

/** How long the user must be willing to wait, for rules about absence that take as long as that. */
export const patienceMs = 60_000;
