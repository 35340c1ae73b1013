import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";

/** A client certificate, proven and signed by a trusted authority. */
export interface ClientCertificate {
  /** the common name of its subject */
  readonly name: string;
}

/** Returns the client's certificate if it is valid. */
export function certificateOf(socket: Socket | TLSSocket | undefined): ClientCertificate | undefined {
  // Plain sockets lack these members, and the socket proxy of HTTP/2 does not reveal its type.
  const secured = socket as Partial<TLSSocket> | undefined;
  if (!secured?.authorized) return undefined;
  // A resumed session counts as authorized without a certificate.
  const name = secured.getPeerCertificate?.().subject?.CN;
  return typeof name === "string" && name !== "" ? { name } : undefined;
}
