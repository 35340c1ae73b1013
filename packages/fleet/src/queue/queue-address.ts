import { AssayError } from "@assay/protocol/assay-error";

/** The address of a queue, on a Redis or PostgreSQL server. */
export interface QueueAddress {
  readonly kind: "redis" | "postgres";
  /** may contain a password, so only `shownQueue` shows it */
  readonly url: string;
}

/** Creates the error for an unusable server. The message says what to do, and never contains a password. */
export const queueUnavailable = (message: string): AssayError => new AssayError({ code: "queue-unavailable", message });

/** Reads `redis://…`, `rediss://…` (TLS) and `postgres://…`. The error for any other address does not repeat it. */
export function readQueueAddress(text: string): QueueAddress {
  const kind = /^rediss?:\/\//.test(text) ? "redis" : /^postgres(ql)?:\/\//.test(text) ? "postgres" : undefined;
  if (kind !== undefined && URL.canParse(text)) return { kind, url: text };
  throw queueUnavailable(
    "A queue is named as redis://<host>:<port>, rediss://<host>:<port> (TLS) or postgres://<user>@<host>/<database>",
  );
}

/** Returns an address without its password and its parameters, which may contain one too. */
export function shownQueue({ url }: QueueAddress): string {
  const { protocol, username, host, pathname } = new URL(url);
  return `${protocol}//${username ? `${username}@` : ""}${host}${pathname}`;
}
