import type { JsonObject, Operation } from "@assay/protocol";
import type { Exchange, PeerInterface, Reply } from "@assay/wire";

/** One exchange with an agent: the request, its interface, and the reply as the binding defines it. */
export interface Call {
  readonly exchange: Exchange;
  readonly on: PeerInterface;
  /** absent for requests that call no operation: another verb, an unknown method */
  readonly operation?: Operation;
  /** the request in terms of 1.0; absent if it was not JSON */
  readonly params?: JsonObject;
  /** in terms of 1.0, for every version of the interface */
  readonly reply: Reply;
  /** the same reply as the agent wrote it */
  readonly said: Reply;
  /** the request was valid: a conforming server understands it */
  readonly fair: boolean;
  /** a stream was expected as the response */
  readonly streamed: boolean;
  /** sent without the user's certificate, or with another, and rejected in the handshake */
  readonly shutOut?: true;
}
