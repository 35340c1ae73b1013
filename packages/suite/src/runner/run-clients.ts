import {
  createPeerClients,
  defaultTimeouts,
  type HttpClientOptions,
  type PeerClients,
  type Recording,
  type TlsMaterial,
  withParameters,
} from "@assay/wire";
import type { PrincipalName } from "../define/principal.ts";
import { boundCredentials, certificateOf, credentialsOf } from "./credentials.ts";
import type { TestOptions } from "./options.ts";

/** How long the agent may take for one message or task, unless the operator says otherwise. */
export const taskTimeoutDefault = 60_000;

/** The clients of the user, and those of other principals: whom a certificate tells apart share no connection. */
export interface RunClients extends PeerClients {
  as(principal: PrincipalName): PeerClients;
}

/**
 * The clients of a run: they record, keep the credentials, and give up an answer that is not complete in the time that a
 * task may take and an answer may be silent.
 */
export function clientsFor(
  options: TestOptions,
  recording: Recording,
  create: (options: HttpClientOptions) => PeerClients = createPeerClients,
): RunClients {
  const { connection, taskTimeout = taskTimeoutDefault } = options;
  const { idle } = { ...defaultTimeouts, ...connection.timeouts };
  const shared = {
    ...connection,
    timeouts: { ...connection.timeouts, total: taskTimeout + idle },
    credentials: boundCredentials(options),
    recording,
  };
  const byCertificate = new Map<string | undefined, PeerClients>();
  const as = (principal: PrincipalName): PeerClients => {
    const certificate = certificateOf(principal, options)?.cert;
    const made = byCertificate.get(certificate) ?? create({ ...shared, tls: tlsOf(principal, options) });
    byCertificate.set(certificate, made);
    return withParameters(made, credentialsOf(principal, options).query ?? []);
  };
  return {
    ...as("user"),
    as,
    async close() {
      await Promise.all([...byCertificate.values()].map((clients) => clients.close()));
    },
  };
}

/** How a principal shakes hands: with the certificate that is its own, or with none. */
export function tlsOf(principal: PrincipalName, options: TestOptions): TlsMaterial {
  const { cert: _cert, key: _key, ...bare } = options.connection.tls ?? {};
  return { ...bare, ...certificateOf(principal, options) };
}
