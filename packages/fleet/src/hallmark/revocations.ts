import { isId, longest } from "./claims.ts";
import type { SigningKey, TrustedKey } from "./keys.ts";
import { isMembers, isText, isTime } from "./reading.ts";
import { sealed, type Unsealed, unsealed } from "./sealed.ts";

/** One revoked hallmark. */
export interface Revocation {
  readonly id: string;
  /** time in seconds since 1970 */
  readonly at: number;
  readonly reason: string;
}

/** All revocations of an issuer, as the payload of a JWS. */
export interface RevocationList {
  readonly iss: string;
  /** when it was signed, in seconds since 1970 */
  readonly iat: number;
  /** when the next list is due; from then on, a hallmark missing in this one may still be revoked */
  readonly exp: number;
  readonly revocations: { readonly version: 1; readonly revoked: readonly Revocation[] };
}

const longestReason = 200;

/** Returns the next list. Revocations are permanent, and each id appears once. */
export function withRevoked(before: RevocationList | undefined, revoked: readonly Revocation[]): Revocation[] {
  const known = before?.revocations.revoked ?? [];
  const ids = new Set(known.map(({ id }) => id));
  return [...known, ...revoked.filter(({ id }) => !ids.has(id) && ids.add(id))];
}

export interface RevocationOrder {
  readonly key: SigningKey;
  readonly issuer: string;
  readonly revoked: readonly Revocation[];
  /** number of days until the next list */
  readonly days: number;
  readonly now: Date;
}

export function signRevocations({ key, issuer, revoked, days, now }: RevocationOrder): Promise<string> {
  const iat = Math.floor(now.getTime() / 1000);
  const list: RevocationList = {
    iss: issuer,
    iat,
    exp: iat + Math.round(days * 86_400),
    revocations: { version: 1, revoked },
  };
  if (!isRevocationList(list)) throw new TypeError("not a list of revocations that others could read");
  return sealed("assay-revocations+jwt", list, key);
}

export type ReadRevocations =
  | { readonly is: "genuine"; readonly list: RevocationList }
  | Extract<Unsealed, { is: "not-genuine" }>;

export async function readRevocations(text: string, keys: readonly TrustedKey[]): Promise<ReadRevocations> {
  const read = await unsealed(text, "assay-revocations+jwt", keys);
  if (read.is === "not-genuine") return read;
  return isRevocationList(read.payload)
    ? { is: "genuine", list: read.payload }
    : {
        is: "not-genuine",
        code: "malformed",
        because: "it is signed, and says nothing that a list of revocations does",
      };
}

const isRevocationList = (value: unknown): value is RevocationList =>
  isMembers(value, ["iss", "iat", "exp", "revocations"]) &&
  isText(value["iss"], longest.issuer) &&
  isTime(value["iat"]) &&
  isTime(value["exp"]) &&
  value["iat"] < value["exp"] &&
  isMembers(value["revocations"], ["version", "revoked"]) &&
  value["revocations"]["version"] === 1 &&
  Array.isArray(value["revocations"]["revoked"]) &&
  value["revocations"]["revoked"].every(isRevocation);

const isRevocation = (value: unknown): boolean =>
  isMembers(value, ["id", "at", "reason"]) &&
  isId(value["id"]) &&
  isTime(value["at"]) &&
  isText(value["reason"], longestReason);
