import { HallmarkRefused, readBearingReport } from "./bearing.ts";
import { type HallmarkClaims, isBearingLevel, longest } from "./claims.ts";
import { digestOf } from "./digest.ts";
import type { SigningKey } from "./keys.ts";
import { isoOf, isText } from "./reading.ts";
import { sealed } from "./sealed.ts";

export interface HallmarkOrder {
  /** the JSON report, byte for byte as others will get it */
  readonly report: Uint8Array;
  readonly key: SigningKey;
  readonly issuer: string;
  /** how long it is good, from the test on: signing an old report again makes it no younger */
  readonly days: number;
  readonly now: Date;
  readonly id: string;
}

export interface SignedHallmark {
  readonly jws: string;
  readonly claims: HallmarkClaims;
}

/** How far clocks may differ, in seconds. */
export const clockLeeway = 300;

/** Signs what a report says about its agent. Throws `HallmarkRefused` where that earns none. */
export async function signHallmark({
  report: bytes,
  key,
  issuer,
  days,
  now,
  id,
}: HallmarkOrder): Promise<SignedHallmark> {
  const report = readBearingReport(bytes);
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
  const claims: HallmarkClaims = {
    iss: issuer,
    sub: report.agentUrl,
    jti: id,
    iat: signedAt,
    exp: expiry,
    hallmark: {
      version: 1,
      report: digestOf(bytes),
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
    },
  };
  return { jws: await sealed("assay-hallmark+jwt", claims, key), claims };
}
