import { AssayError } from "@assay/protocol/assay-error";

/** Where a queue is: on a Redis server, or on a PostgreSQL server. */
export interface QueueAddress {
  readonly kind: "redis" | "postgres";
  /** may hold a password: it is shown by `shownQueue` only */
  readonly url: string;
}

/** The queue's server cannot be used; the message says what to do, and never holds a password. */
export const queueUnavailable = (message: string): AssayError => new AssayError({ code: "queue-unavailable", message });

/** Reads `redis://…`, `rediss://…` (TLS) and `postgres://…`. What it says of an address that is none of them does not repeat it. */
export function readQueueAddress(text: string): QueueAddress {
  const kind = /^rediss?:\/\//.test(text) ? "redis" : /^postgres(ql)?:\/\//.test(text) ? "postgres" : undefined;
  if (kind !== undefined && URL.canParse(text)) return { kind, url: text };
  throw queueUnavailable(
    "A queue is named as redis://<host>:<port>, rediss://<host>:<port> (TLS) or postgres://<user>@<host>/<database>",
  );
}

/** An address as it may be shown: without password, and without parameters, which may hold one too. */
export function shownQueue({ url }: QueueAddress): string {
  const { protocol, username, host, pathname } = new URL(url);
  return `${protocol}//${username ? `${username}@` : ""}${host}${pathname}`;
}
