import { createPeerClients, defaultTimeouts, type PeerClients, type Recording } from "@assay/wire";
import { boundCredentials } from "./credentials.ts";
import type { TestOptions } from "./options.ts";

/** How long the agent may take for one message or task, unless the operator says otherwise. */
export const taskTimeoutDefault = 60_000;

/**
 * The clients of a run: they record, keep the credentials, and give up an answer that is not complete in the time that a
 * task may take and an answer may be silent.
 */
export function clientsFor(options: TestOptions, recording: Recording): PeerClients {
  const { connection, taskTimeout = taskTimeoutDefault } = options;
  const { idle } = { ...defaultTimeouts, ...connection.timeouts };
  return createPeerClients({
    ...connection,
    timeouts: { ...connection.timeouts, total: taskTimeout + idle },
    credentials: boundCredentials(options),
    recording,
  });
}
