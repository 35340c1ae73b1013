import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";

/** A certificate that a client has shown to be its own, of an authority that the server trusts for this. */
export interface ClientCertificate {
  /** the common name of its subject */
  readonly name: string;
}

/** The certificate of the client at the other end, where there is a good one; whatever else it has shown does not count. */
export function certificateOf(socket: Socket | TLSSocket | undefined): ClientCertificate | undefined {
  // Plain sockets have no such member. What HTTP/2 gives for its socket reads like one, and does not say what is in it.
  const secured = socket as Partial<TLSSocket> | undefined;
  if (!secured?.authorized) return undefined;
  // A session that is taken up again counts as authorized without any.
  const name = secured.getPeerCertificate?.().subject?.CN;
  return typeof name === "string" && name !== "" ? { name } : undefined;
}
