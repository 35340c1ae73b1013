import type { JsonObject, Operation } from "@assay/protocol";
import type { Exchange, PeerInterface, Reply } from "@assay/wire";

/** One exchange with an agent and what we know of it: what was asked where, and the reply in the words of the binding. */
export interface Call {
  readonly exchange: Exchange;
  readonly on: PeerInterface;
  /** absent for what is no call of an operation: another verb, a method that does not exist */
  readonly operation?: Operation;
  /** the request in the words of 1.0; absent where it was not JSON to begin with */
  readonly params?: JsonObject;
  /** in the words of 1.0, whatever version the interface speaks */
  readonly reply: Reply;
  /** the same as the agent wrote it */
  readonly said: Reply;
  /** nothing was wrong with the request: a server that knows the specification understands it */
  readonly fair: boolean;
  /** the answer was to come as a stream */
  readonly streamed: boolean;
  /** made without the certificate of the user, or with another, and refused in the handshake */
  readonly shutOut?: true;
}
