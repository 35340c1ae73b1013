import { jsonText } from "@assay/protocol/escape";
import type { ConformanceReport } from "@assay/suite/report";
import { HallmarkRefused } from "../hallmark/bearing.ts";
import type { HallmarkClaims } from "../hallmark/claims.ts";
import type { SigningKey } from "../hallmark/keys.ts";
import { signHallmark } from "../hallmark/sign.ts";

/** The key and the issuer that sign a fleet's hallmarks. */
export interface HallmarkSigning {
  readonly key: SigningKey;
  readonly issuer: string;
  readonly days: number;
  /** ids of revoked hallmarks: these agents get none for the same report */
  readonly revoked: ReadonlySet<string>;
}

/** The hallmark of one agent, or the reason why it has none. */
export type AgentHallmark =
  | { readonly is: "signed"; readonly jws: string; readonly report: string; readonly claims: HallmarkClaims }
  | { readonly is: "none"; readonly because: string };

/** Signs the exact bytes of the report that the site publishes. */
export async function hallmarkOf(
  report: ConformanceReport | undefined,
  { key, issuer, days, revoked }: HallmarkSigning,
  now: Date,
): Promise<AgentHallmark> {
  if (!report) return { is: "none", because: "there is no report" };
  const text = `${jsonText(report)}\n`;
  try {
    const { jws, claims } = await signHallmark({ report: Buffer.from(text), source: "ledger", key, issuer, days, now });
    if (revoked.has(claims.jti)) return { is: "none", because: "it was revoked" };
    return { is: "signed", jws, report: text, claims };
  } catch (error) {
    if (error instanceof HallmarkRefused) return { is: "none", because: error.message };
    throw error;
  }
}
