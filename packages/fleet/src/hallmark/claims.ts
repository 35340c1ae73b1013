import { type ConformanceLevel, conformanceLevels, type Depth, depths } from "@assay/suite/report";
import { isDigest, isMembers, isText, isTime, type Members } from "./reading.ts";

/** The payload of a hallmark's JWS: the registered claims of a JWT, and Assay's own under `hallmark`. */
export interface HallmarkClaims {
  /** the issuer */
  readonly iss: string;
  /** the address of the agent */
  readonly sub: string;
  /** the id, by which the hallmark is revoked */
  readonly jti: string;
  /** when it was signed, in seconds since 1970 */
  readonly iat: number;
  /** when it expires, in seconds since 1970 */
  readonly exp: number;
  readonly hallmark: HallmarkFacts;
}

export interface HallmarkFacts {
  readonly version: 1;
  /** digest of the report's bytes, "sha256:…" */
  readonly report: string;
  /** digest of the card's content, "sha256:…" */
  readonly card: string;
  readonly outcome: "conformant";
  readonly level: BearingLevel;
  /** the reason for this level, and for no better one */
  readonly because: string;
  readonly ruleSet: string;
  /** number of examined rules, of those that apply */
  readonly examined: { readonly rules: number; readonly of: number };
  readonly scope: "everything";
  readonly depth: Depth;
  readonly strict: boolean;
  /** when the agent was tested, ISO 8601 */
  readonly tested: string;
  readonly source: HallmarkSource;
}

/** The source that the issuer signed: a recording of its own run, the ledger of its fleet, or a report file. */
export const hallmarkSources = ["recording", "ledger", "report"] as const;
export type HallmarkSource = (typeof hallmarkSources)[number];

/** Levels that an agent can have without a broken rule. */
export type BearingLevel = Exclude<ConformanceLevel, "non-conformant">;

export const isBearingLevel = (level: unknown): level is BearingLevel =>
  level !== "non-conformant" && conformanceLevels.some((each) => each === level);

/** Maximum lengths of an issuer's texts, each of which is shown on one line. */
export const longest = { issuer: 200, because: 300, address: 2_000, ruleSet: 200 };

/**
 * Reads the claims; undefined for anything that is not exactly a hallmark. An unknown member might limit its meaning.
 */
export function readHallmarkClaims(value: unknown): HallmarkClaims | undefined {
  if (!isMembers(value, ["iss", "sub", "jti", "iat", "exp", "hallmark"])) return undefined;
  const { iss, sub, jti, iat, exp, hallmark } = value;
  const isWhole =
    isText(iss, longest.issuer) && isText(sub, longest.address) && isId(jti) && isTime(iat) && isTime(exp) && iat < exp;
  // Every member was checked above.
  return isWhole && areFacts(hallmark) ? (value as unknown as HallmarkClaims) : undefined;
}

const factNames = [
  ...["version", "report", "card", "outcome", "level", "because", "ruleSet"],
  ...["examined", "scope", "depth", "strict", "tested", "source"],
];

const areFacts = (value: unknown): boolean =>
  isMembers(value, factNames) &&
  value["version"] === 1 &&
  isDigest(value["report"]) &&
  isDigest(value["card"]) &&
  value["outcome"] === "conformant" &&
  isBearingLevel(value["level"]) &&
  isText(value["because"], longest.because) &&
  isText(value["ruleSet"], longest.ruleSet) &&
  isShare(value["examined"]) &&
  value["scope"] === "everything" &&
  depths.some((depth) => depth === value["depth"]) &&
  typeof value["strict"] === "boolean" &&
  typeof value["tested"] === "string" &&
  !Number.isNaN(Date.parse(value["tested"])) &&
  hallmarkSources.some((source) => source === value["source"]);

const isShare = (value: unknown): boolean =>
  isMembers(value, ["rules", "of"]) && isCount(value["rules"]) && isCount(value["of"]) && isEnough(value);

const isEnough = (value: Members): boolean => {
  const { rules, of } = value as unknown as HallmarkFacts["examined"];
  return rules <= of && isEnoughExamined(rules, of);
};

/** Returns true if at least half of the applicable rules were examined. One answered message is not a test. */
export const isEnoughExamined = (rules: number, of: number): boolean => rules * 2 >= of;

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) > 0;

/** Returns true for a text in the form of a UUID. */
export const isId = (value: unknown): value is string =>
  typeof value === "string" && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(value);
