import { DatabaseUnavailable } from "./database.ts";

/** Where a database is: a file of SQLite, or a PostgreSQL server. */
export type DatabaseAddress =
  | { readonly kind: "sqlite"; readonly file: string }
  | { readonly kind: "postgres"; readonly url: string };

/** Reads `sqlite:<file>` and `postgres://…`. What it says of an address that is neither does not repeat it: it may hold a password. */
export function readAddress(text: string): DatabaseAddress {
  const file = /^sqlite:(?:\/\/(?=\/))?(.+)$/s.exec(text)?.[1];
  if (file !== undefined) return { kind: "sqlite", file };
  if (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text)) return { kind: "postgres", url: text };
  throw new DatabaseUnavailable("A database is named as sqlite:<file> or postgres://<user>@<host>/<database>");
}

/** An address as it may be shown: without password, and without parameters, which may hold one too. */
export function shownAddress(address: DatabaseAddress): string {
  if (address.kind === "sqlite") return `sqlite:${address.file}`;
  const { username, host, pathname } = new URL(address.url);
  return `postgres://${username ? `${username}@` : ""}${host}${pathname}`;
}
