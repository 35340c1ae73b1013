import { DatabaseUnavailable } from "../database.ts";

/**
 * SQLite errors after which a statement may succeed later (https://www.sqlite.org/rescode.html), by primary
 * result code.
 */
const passing: Readonly<Record<number, string>> = {
  5: "SQLITE_BUSY",
  8: "SQLITE_READONLY",
  10: "SQLITE_IOERR",
  13: "SQLITE_FULL",
  14: "SQLITE_CANTOPEN",
};

/** Reads the error number, which each library names differently. Its lower byte is the primary code. */
function nameOf(error: unknown): string | undefined {
  const { rawCode, errcode } = error as { rawCode?: number; errcode?: number };
  const code = rawCode ?? errcode;
  return code === undefined ? undefined : passing[code & 0xff];
}

export const isBusy = (error: unknown): boolean => nameOf(error) === "SQLITE_BUSY";

/**
 * Returns true if the file cannot be used for now, for example because its disk is full. Any other error is a
 * fault of the statement.
 */
export const isUnavailable = (error: unknown): boolean => nameOf(error) !== undefined;

export function asUnavailable(error: unknown, file: string): unknown {
  const name = nameOf(error);
  return name === undefined ? error : new DatabaseUnavailable(`${file}: ${(error as Error).message} (${name})`, error);
}
