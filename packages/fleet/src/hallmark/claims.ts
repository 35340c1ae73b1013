import { type ConformanceLevel, conformanceLevels, type Depth, depths } from "@assay/suite/report";
import { isDigest, isMembers, isText, isTime, type Members } from "./reading.ts";

/** The payload of a hallmark's JWS: the registered claims of a JWT, and Assay's own under `hallmark`. */
export interface HallmarkClaims {
  /** who says it */
  readonly iss: string;
  /** the address of the agent */
  readonly sub: string;
  /** by which it is revoked */
  readonly jti: string;
  /** when it was signed, in seconds */
  readonly iat: number;
  /** from when on it says nothing, in seconds */
  readonly exp: number;
  readonly hallmark: HallmarkFacts;
}

export interface HallmarkFacts {
  readonly version: 1;
  /** of the bytes of the report, "sha256:…" */
  readonly report: string;
  /** of what the card says, "sha256:…" */
  readonly card: string;
  readonly outcome: "conformant";
  readonly level: BearingLevel;
  /** why this level and no better one */
  readonly because: string;
  readonly ruleSet: string;
  /** rules examined, of those that apply */
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

/** Longest texts of an issuer: what is read on one line. */
export const longest = { issuer: 200, because: 300, address: 2_000, ruleSet: 200 };

/** The claims, or undefined for anything that is not exactly a hallmark: what is not known here might limit what it says. */
export function readHallmarkClaims(value: unknown): HallmarkClaims | undefined {
  if (!isMembers(value, ["iss", "sub", "jti", "iat", "exp", "hallmark"])) return undefined;
  const { iss, sub, jti, iat, exp, hallmark } = value;
  const isWhole =
    isText(iss, longest.issuer) && isText(sub, longest.address) && isId(jti) && isTime(iat) && isTime(exp) && iat < exp;
  // Each member was looked at.
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

/** One message that was answered is a sign of life, and no test: half of the rules that apply have to be examined. */
export const isEnoughExamined = (rules: number, of: number): boolean => rules * 2 >= of;

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) > 0;

/** In the form of a UUID. */
export const isId = (value: unknown): value is string =>
  typeof value === "string" && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(value);
