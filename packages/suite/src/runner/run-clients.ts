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

/** Default time limit for one message or task. */
export const taskTimeoutDefault = 60_000;

/** The clients of the user and of other principals. Principals with different certificates share no connection. */
export interface RunClients extends PeerClients {
  as(principal: PrincipalName): PeerClients;
}

/**
 * Creates the clients of a run. They record, hold the credentials, and stop waiting for a response after the time
 * limits of tasks and silence.
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

/** Returns the TLS material of a principal: its own certificate, or none. */
export function tlsOf(principal: PrincipalName, options: TestOptions): TlsMaterial {
  const { cert: _cert, key: _key, ...bare } = options.connection.tls ?? {};
  return { ...bare, ...certificateOf(principal, options) };
}
