import { createHash } from "node:crypto";

/** How claims are read: by their form alone, member for member. */

export type Members = Readonly<Record<string, unknown>>;

/** An object with exactly these members. */
export function isMembers(value: unknown, names: readonly string[]): value is Members {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const given = Object.keys(value);
  return given.length === names.length && names.every((name) => given.includes(name));
}

export const isText = (value: unknown, most: number): value is string =>
  typeof value === "string" && value.trim() !== "" && value.length <= most;

/** Seconds since 1970, until the year 9999: beyond that a date has no words. */
export const isTime = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) > 0 && (value as number) < 253_402_300_800;

export const isDigest = (value: unknown): value is string =>
  typeof value === "string" && /^sha256:[\da-f]{64}$/.test(value);

export const isoOf = (seconds: number): string => new Date(seconds * 1000).toISOString();

/** "sha256:…", of these very bytes. */
export const digestOf = (bytes: Uint8Array): string => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
