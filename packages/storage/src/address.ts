import { DatabaseUnavailable } from "./database.ts";

/** The location of a database: a SQLite file or a PostgreSQL server. */
export type DatabaseAddress =
  | { readonly kind: "sqlite"; readonly file: string }
  | { readonly kind: "postgres"; readonly url: string };

/** Also reads `sqlite:///C:/<file>`, where the drive of Windows follows the slash of the URL. */
const sqlite = /^sqlite:(?:\/\/(?=\/)(?:\/(?=[A-Za-z]:[\\/]))?)?(.+)$/s;

/**
 * Reads `sqlite:<file>` and `postgres://…`. The error for any other address does not repeat it, because it
 * may hold a password.
 */
export function readAddress(text: string): DatabaseAddress {
  const file = sqlite.exec(text)?.[1];
  if (file !== undefined) return { kind: "sqlite", file };
  if (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text)) return { kind: "postgres", url: text };
  throw new DatabaseUnavailable("A database address is sqlite:<file> or postgres://<user>@<host>/<database>");
}

/**
 * Returns an address that is safe to show: without password and without parameters, which may hold one too.
 */
export function shownAddress(address: DatabaseAddress): string {
  if (address.kind === "sqlite") return `sqlite:${address.file}`;
  const { username, host, pathname } = new URL(address.url);
  return `postgres://${username ? `${username}@` : ""}${host}${pathname}`;
}
