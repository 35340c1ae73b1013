import { createHash } from "node:crypto";
import { HallmarkRefused, readBearingReport } from "./bearing.ts";
import { type HallmarkClaims, type HallmarkSource, isBearingLevel, longest } from "./claims.ts";
import type { SigningKey } from "./keys.ts";
import { digestOf, isoOf, isText } from "./reading.ts";
import { sealed } from "./sealed.ts";

export interface HallmarkOrder {
  /** the JSON report, byte for byte as others will receive it */
  readonly report: Uint8Array;
  /** the origin of the report, which the hallmark names */
  readonly source: HallmarkSource;
  readonly key: SigningKey;
  readonly issuer: string;
  /** validity in days from the test on; signing an old report again does not extend it */
  readonly days: number;
  readonly now: Date;
}

export interface SignedHallmark {
  readonly jws: string;
  readonly claims: HallmarkClaims;
}

/** Accepted difference between clocks, in seconds. */
export const clockLeeway = 300;

/** Signs the result of a report about its agent. Throws `HallmarkRefused` if the report does not qualify. */
export async function signHallmark({
  report: bytes,
  source,
  key,
  issuer,
  days,
  now,
}: HallmarkOrder): Promise<SignedHallmark> {
  const report = readBearingReport(bytes, source);
  const { conformanceLevel: level, summary, depth, strict, ruleSet, testDate } = report;
  if (!isBearingLevel(level) || !isText(issuer, longest.issuer))
    throw new TypeError("a hallmark needs a level and an issuer");
  const [signedAt, testedAt] = [Math.floor(now.getTime() / 1000), Math.floor(Date.parse(testDate) / 1000)];
  if (!(testedAt <= signedAt + clockLeeway))
    throw new HallmarkRefused("from-the-future", `the report is of ${testDate}, which is not now or before`);
  const expiry = testedAt + Math.round(days * 86_400);
  if (expiry <= signedAt)
    throw new HallmarkRefused(
      "too-old",
      `the agent was tested at ${testDate}, and a hallmark from then is over since ${isoOf(expiry)}`,
    );
  const digest = digestOf(bytes);
  const claims: HallmarkClaims = {
    iss: issuer,
    sub: report.agentUrl,
    jti: idOf(key.kid, issuer, digest),
    iat: signedAt,
    exp: expiry,
    hallmark: {
      version: 1,
      report: digest,
      card: `sha256:${report.cardDigest}`,
      outcome: "conformant",
      level,
      because: report.levelBecause.slice(0, longest.because),
      ruleSet,
      examined: { rules: summary.examined, of: summary.applicable },
      scope: "everything",
      depth,
      strict,
      tested: testDate,
      source,
    },
  };
  return { jws: await sealed("assay-hallmark+jwt", claims, key), claims };
}

/**
 * Returns the same id for the same report, issuer and key, so that a revoked hallmark stays revoked after signing it
 * again. The id is a UUID (RFC 9562, version 8).
 */
function idOf(kid: string, issuer: string, report: string): string {
  const hex = createHash("sha256")
    .update(JSON.stringify([kid, issuer, report]))
    .digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    "-",
  );
}
