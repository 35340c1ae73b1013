import { createHash } from "node:crypto";

/** Functions that check the form of claims, member by member. */

export type Members = Readonly<Record<string, unknown>>;

/** Returns true for an object with exactly these members. */
export function isMembers(value: unknown, names: readonly string[]): value is Members {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const given = Object.keys(value);
  return given.length === names.length && names.every((name) => given.includes(name));
}

export const isText = (value: unknown, most: number): value is string =>
  typeof value === "string" && value.trim() !== "" && value.length <= most;

/** Returns true for seconds since 1970, up to the year 9999, because later dates cannot be formatted. */
export const isTime = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) > 0 && (value as number) < 253_402_300_800;

export const isDigest = (value: unknown): value is string =>
  typeof value === "string" && /^sha256:[\da-f]{64}$/.test(value);

export const isoOf = (seconds: number): string => new Date(seconds * 1000).toISOString();

/** Returns the digest of these exact bytes, "sha256:…". */
export const digestOf = (bytes: Uint8Array): string => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
