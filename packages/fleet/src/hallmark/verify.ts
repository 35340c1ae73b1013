import { jsonIn } from "@assay/protocol";
import type { ConformanceReport } from "@assay/suite/report";
import { contradictionIn } from "./bearing.ts";
import { type HallmarkClaims, readHallmarkClaims } from "./claims.ts";
import type { TrustedKey } from "./keys.ts";
import { digestOf, isoOf } from "./reading.ts";
import { type ReadRevocations, type Revocation, type RevocationList, readRevocations } from "./revocations.ts";
import { type SealFault, unsealed } from "./sealed.ts";
import { clockLeeway } from "./sign.ts";

/** The reasons why a hallmark is invalid. */
export type HallmarkFault =
  | SealFault
  | "not-yet-valid"
  | "expired"
  | "revoked"
  | "report-differs"
  | "report-contradicts"
  | "card-differs";

/** The reasons why Assay cannot tell whether a hallmark was revoked. */
export type RevocationDoubt = "list-not-genuine" | "list-stale" | "list-of-another-issuer";

export type HallmarkVerdict =
  | {
      readonly is: "good";
      readonly claims: HallmarkClaims;
      readonly key: TrustedKey;
      readonly revocations: RevocationList | undefined;
    }
  /** `claims` are there if the signature is valid */
  | {
      readonly is: "bad";
      readonly code: HallmarkFault;
      readonly because: string;
      readonly claims?: HallmarkClaims;
    }
  | {
      readonly is: "undecided";
      readonly code: RevocationDoubt;
      readonly because: string;
      readonly claims: HallmarkClaims;
    };

export interface HallmarkQuestion {
  /** the content of the file, unchanged */
  readonly hallmark: string;
  readonly keys: readonly TrustedKey[];
  readonly at: Date;
  /** the report, byte for byte */
  readonly report?: Uint8Array | undefined;
  /** SHA-256 of the card's content, in hexadecimal */
  readonly cardDigest?: string | undefined;
  /** the list of revocations, unchanged */
  readonly revocations?: string | undefined;
}

/** Verifies a hallmark at a given time. Uses no network and no clock. */
export async function verifyHallmark(question: HallmarkQuestion): Promise<HallmarkVerdict> {
  const { hallmark, keys } = question;
  const read = await unsealed(hallmark, "assay-hallmark+jwt", keys);
  if (read.is === "not-genuine") return { is: "bad", code: read.code, because: read.because };
  const claims = readHallmarkClaims(read.payload);
  if (!claims)
    return {
      is: "bad",
      code: "malformed",
      because: "the signature is valid, but this version does not know this kind of hallmark",
    };
  const fault = faultOf(claims, question);
  if (fault) return { is: "bad", ...fault, claims };
  const { revocations } = question;
  if (revocations === undefined) return { is: "good", claims, key: read.key, revocations: undefined };
  const list = await readRevocations(revocations, keys);
  const revoked = revocationOf(claims, list);
  if (revoked)
    return {
      is: "bad",
      code: "revoked",
      because: `its issuer took it back at ${isoOf(revoked.at)}: ${revoked.reason}`,
      claims,
    };
  const doubt = doubtOf(claims, list, question.at);
  if (doubt) return { is: "undecided", ...doubt, claims };
  return { is: "good", claims, key: read.key, revocations: list.is === "genuine" ? list.list : undefined };
}

interface Fault {
  readonly code: HallmarkFault;
  readonly because: string;
}

function faultOf(claims: HallmarkClaims, { at, report, cardDigest }: HallmarkQuestion): Fault | undefined {
  const { iat, exp, hallmark } = claims;
  const now = at.getTime() / 1000;
  if (now < iat - clockLeeway)
    return { code: "not-yet-valid", because: `it was signed at ${isoOf(iat)}, after this time` };
  if (now >= exp) return { code: "expired", because: `it is over since ${isoOf(exp)}` };
  if (cardDigest !== undefined && hallmark.card !== `sha256:${cardDigest}`)
    return {
      code: "card-differs",
      because: "it is about another card: the agent was tested with one that said something else",
    };
  if (report === undefined) return undefined;
  if (digestOf(report) !== hallmark.report)
    return {
      code: "report-differs",
      because: "it is about another report: at least one byte of this one is different",
    };
  return contradicts(claims, report)
    ? { code: "report-contradicts", because: "it says something else than the report that it was signed for" }
    : undefined;
}

/** Compares the claims with the report, because a signer may be wrong or lie. */
function contradicts({ sub, hallmark }: HallmarkClaims, bytes: Uint8Array): boolean {
  const report = jsonIn(bytes) as unknown as Partial<ConformanceReport> | undefined;
  const { summary } = report ?? {};
  return !(
    report?.agentUrl === sub &&
    report.outcome === hallmark.outcome &&
    report.scope === hallmark.scope &&
    report.conformanceLevel === hallmark.level &&
    report.ruleSet === hallmark.ruleSet &&
    report.testDate === hallmark.tested &&
    report.depth === hallmark.depth &&
    report.strict === hallmark.strict &&
    summary?.examined === hallmark.examined.rules &&
    summary.applicable === hallmark.examined.of &&
    `sha256:${report.cardDigest}` === hallmark.card &&
    // The digest matches, so the signer had the whole report and signed it as one.
    contradictionIn(report as ConformanceReport, hallmark.source) === undefined
  );
}

/** Finds the revocation of a hallmark. Revocations are permanent, so an old list counts too, and for any time. */
const revocationOf = ({ jti, iss }: HallmarkClaims, read: ReadRevocations): Revocation | undefined =>
  read.is === "genuine" && read.list.iss === iss
    ? read.list.revocations.revoked.find(({ id }) => id === jti)
    : undefined;

function doubtOf(
  { iss }: HallmarkClaims,
  read: ReadRevocations,
  at: Date,
): { readonly code: RevocationDoubt; readonly because: string } | undefined {
  if (read.is === "not-genuine")
    return { code: "list-not-genuine", because: `the list of revocations is not genuine: ${read.because}` };
  const { list } = read;
  if (list.iss !== iss)
    return { code: "list-of-another-issuer", because: "the list of revocations is that of another issuer" };
  if (at.getTime() / 1000 >= list.exp)
    return {
      code: "list-stale",
      because: `the list of revocations is old: a newer one was due at ${isoOf(list.exp)}, get that`,
    };
  return undefined;
}
