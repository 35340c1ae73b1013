import type { JsonObject, JsonValue, Operation } from "@assay/protocol";
import type { Exchange, PeerInterface, Reply } from "@assay/wire";

/** One request that a client sent, read as an agent reads it. */
export type ClientRequest = ClientCall | CardFetch | KeyFetch | StrayRequest;

/** A request to an interface of the card: the call of an operation, or an attempt at one. */
export interface ClientCall {
  readonly is: "call";
  readonly exchange: Exchange;
  /** the interface of the card that it was sent to */
  readonly on: PeerInterface;
  /** as written: the method of JSON-RPC or gRPC, or the verb and path of HTTP+JSON */
  readonly method: string;
  /** absent if the interface has no such operation */
  readonly operation?: Operation;
  /** the body if it is JSON; over gRPC the message as ProtoJSON */
  readonly body?: JsonValue;
  /** the request of the operation as the client wrote it, with the values from path and query */
  readonly written?: JsonObject;
  /** the same request in terms of 1.0; absent if 1.0 has no equivalent */
  readonly params?: JsonObject;
  /** the response in terms of 1.0 */
  readonly reply: Reply;
}

/** A request for the card. */
export interface CardFetch {
  readonly is: "card";
  readonly exchange: Exchange;
}

/** A request for the keys of the card's signature. */
export interface KeyFetch {
  readonly is: "keys";
  readonly exchange: Exchange;
}

/** A request to an address that is not on the card. */
export interface StrayRequest {
  readonly is: "stray";
  readonly exchange: Exchange;
  readonly because: string;
}

/** The context of a call: the agent that the client talks to, and the earlier requests of the client. */
export interface ClientTraffic {
  readonly agent: AgentOffer;
  /** earlier requests of the same client, oldest first */
  readonly before: readonly ClientRequest[];
  /**
   * The recording is complete: the client learned every task and context id here, or from `told`. Absent if the client
   * may have talked to the agent earlier, or elsewhere.
   */
  readonly whole?: true;
  /** ids that the client received by other means */
  readonly told?: ReadonlySet<string>;
}

/** The facts about an agent that a client can know: its card, and the interfaces that Assay can read. */
export interface AgentOffer {
  readonly card: JsonObject;
  readonly cardUrl: string;
  readonly interfaces: readonly PeerInterface[];
  readonly streaming: boolean;
  readonly pushNotifications: boolean;
  readonly extendedAgentCard: boolean;
  readonly extensions: readonly { readonly uri: string; readonly required: boolean }[];
}

/** Returns the calls among the requests of a client. */
export const callsOf = (requests: readonly ClientRequest[]): readonly ClientCall[] =>
  requests.filter((request) => request.is === "call");

/** Returns true if the agent answered a call with a result, or with a stream that has one. */
export const isAccepted = ({ reply }: ClientCall): boolean =>
  reply.is === "result" || (reply.is === "stream" && reply.events.some(({ is }) => is === "result"));
