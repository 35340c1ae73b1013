import type { JsonObject, JsonValue, Operation } from "@assay/protocol";
import type { Exchange, PeerInterface, Reply } from "@assay/wire";

/** One request that a client sent, read as an agent reads it. */
export type ClientRequest = ClientCall | CardFetch | KeyFetch | StrayRequest;

/** A call of an operation, or what was meant as one: a request to an interface of the card. */
export interface ClientCall {
  readonly is: "call";
  readonly exchange: Exchange;
  /** the interface of the card that it was sent to */
  readonly on: PeerInterface;
  /** as it was written: the method of JSON-RPC or gRPC, the verb and path of HTTP+JSON */
  readonly method: string;
  /** absent for what the interface has no operation for */
  readonly operation?: Operation;
  /** the body, where it is JSON; over gRPC the message as ProtoJSON */
  readonly body?: JsonValue;
  /** the request of the operation as the client wrote it, with what stood in path and query */
  readonly written?: JsonObject;
  /** the same in the words of 1.0; absent where it has no meaning there */
  readonly params?: JsonObject;
  /** what it was answered with, in the words of 1.0 */
  readonly reply: Reply;
}

/** The card was asked for. */
export interface CardFetch {
  readonly is: "card";
  readonly exchange: Exchange;
}

/** The keys of its signature were asked for. */
export interface KeyFetch {
  readonly is: "keys";
  readonly exchange: Exchange;
}

/** Sent to an address at which the card has nothing. */
export interface StrayRequest {
  readonly is: "stray";
  readonly exchange: Exchange;
  readonly because: string;
}

/** What goes before a call: which agent the client faces, and what it sent so far. */
export interface ClientTraffic {
  readonly agent: AgentOffer;
  /** of the same client, the oldest first */
  readonly before: readonly ClientRequest[];
  /**
   * Nothing went before that: whatever the client knows of tasks and contexts it was told here, or by `told`. Absent where the
   * client may have spoken to the agent earlier, or elsewhere.
   */
  readonly whole?: true;
  /** ids that it was given otherwise */
  readonly told?: ReadonlySet<string>;
}

/** What a client can know of the agent that it faces: its card, and the interfaces on it that we can read. */
export interface AgentOffer {
  readonly card: JsonObject;
  readonly cardUrl: string;
  readonly interfaces: readonly PeerInterface[];
  readonly streaming: boolean;
  readonly pushNotifications: boolean;
  readonly extendedAgentCard: boolean;
  readonly extensions: readonly { readonly uri: string; readonly required: boolean }[];
}

/** The calls among the requests of a client. */
export const callsOf = (requests: readonly ClientRequest[]): readonly ClientCall[] =>
  requests.filter((request) => request.is === "call");
