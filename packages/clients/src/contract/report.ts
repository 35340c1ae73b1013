import type { ContractMeasurement } from "./measure.ts";
import { type ContractOutcome, type ContractStatus, statuses } from "./outcome.ts";
import { defaultKeys } from "./probes/defaults.ts";
import { localCodes } from "./probes/errors.ts";
import { areaOf, type ContractRequirement, revision, type Tier, tiers } from "./requirement.ts";
import { requirements } from "./requirements.ts";

/** The counts of one tier, and whether the tool satisfies it. */
type TierSummary = { readonly total: number; readonly satisfied: boolean } & Readonly<Record<ContractStatus, number>>;

/** The report in the form of the contract (its Appendix A). */
export interface ContractReport {
  readonly report: Readonly<Record<string, unknown>> & { readonly tier_claimed: Tier | "none" };
  readonly summary: Readonly<Record<`tier_${Tier}`, TierSummary>>;
  readonly requirements: Readonly<Record<string, ReportedRequirement>>;
  readonly default_001_breakdown: Readonly<Record<string, { shipped: string; overridable: string; note: null }>>;
  readonly error_codes: Readonly<Record<string, { emitted: string; note: string | null }>>;
  readonly attestation: Readonly<Record<string, string>>;
}

interface ReportedRequirement {
  readonly tier: Tier;
  readonly area: string;
  readonly spec: string;
  readonly requirement: string;
  readonly status: ContractStatus;
  /** the reason of the status; for a pass without a remark, how it was measured */
  readonly note: string;
  readonly evidence: string | null;
}

/** The facts of a report besides the measurement. */
export interface ReportHead {
  readonly tool: string;
  /** the version of Assay */
  readonly version: string;
  /** YYYY-MM-DD */
  readonly date: string;
}

const unmeasured: ContractOutcome = { status: "not_measured", note: "no outcome was recorded", faults: [] };

/** Builds the report of a measurement. A requirement without an outcome is not measured. */
export function contractReport(measurement: ContractMeasurement, { tool, version, date }: ReportHead): ContractReport {
  const { outcomes, learned } = measurement;
  const breakdown = Object.fromEntries(
    defaultKeys.map((key) => {
      const { shipped = false, overridable = false } = learned.defaults.get(key) ?? {};
      return [key, { shipped: yesNo(shipped), overridable: yesNo(overridable), note: null }];
    }),
  );
  const isComplete = defaultKeys.every((key) => {
    const row = learned.defaults.get(key);
    return row?.shipped && row.overridable;
  });
  const statusOf = ({ id }: ContractRequirement): ContractOutcome => {
    const outcome = outcomes.get(id) ?? unmeasured;
    const isUnproven = id === "A2ACLI_DEFAULT_001" && outcome.status === "pass" && !isComplete;
    return isUnproven ? { ...unmeasured, note: "the breakdown of the defaults is incomplete" } : outcome;
  };
  const summary = summaryOf((requirement) => statusOf(requirement).status);
  return {
    report: {
      tool,
      tool_version: learned.version ?? "unknown",
      language: "unknown",
      repository: "unknown",
      maintainer: "unknown",
      report_date: date,
      spec_version: revision.version,
      spec_revision: revision.date,
      a2a_versions: ["1.0"],
      agent_tested: `agents of the Assay test bed ${version}, on the same machine`,
      agent_tck_conformant: "unknown",
      transports_covered: [...learned.speaks].map((each) =>
        each === "JSONRPC" ? "JSON-RPC" : each === "GRPC" ? "gRPC" : each,
      ),
      tier_claimed: highestOf(summary),
    },
    summary,
    requirements: Object.fromEntries(
      requirements.map((requirement) => {
        const { id, tier, spec, title, measured } = requirement;
        const { status, note = `measured: ${measured}`, faults } = statusOf(requirement);
        const evidence = faults.find(({ command }) => command !== undefined)?.command ?? null;
        return [id, { tier, area: areaOf(id), spec, requirement: title, status, note, evidence }];
      }),
    ),
    default_001_breakdown: breakdown,
    error_codes: Object.fromEntries(
      Object.keys(localCodes).map((code) => {
        const isSeen = learned.codes.has(code);
        return [code, { emitted: yesNo(isSeen), note: isSeen ? null : "not seen in this measurement" }];
      }),
    ),
    attestation: {
      reported_by: `assay ${version}, automated measurement`,
      date,
      statement: "The tier claimed reflects the evidence recorded above.",
    },
  };
}

const yesNo = (is: boolean): string => (is ? "yes" : "no");

/**
 * Counts the outcomes of each tier. Only a pass satisfies, or a requirement that may be inapplicable and is. A tier
 * needs all tiers below it.
 */
function summaryOf(statusOf: (requirement: ContractRequirement) => ContractStatus): ContractReport["summary"] {
  let isSatisfied = true;
  const rows = tiers.map((tier) => {
    const ofTier = requirements.filter((each) => each.tier === tier);
    const counts = Object.fromEntries(
      statuses.map((status) => [status, ofTier.filter((each) => statusOf(each) === status).length]),
    ) as Record<ContractStatus, number>;
    isSatisfied &&= ofTier.every((each) => satisfies(each, statusOf(each)));
    return [`tier_${tier}`, { total: ofTier.length, ...counts, satisfied: isSatisfied }] as const;
  });
  return Object.fromEntries(rows) as ContractReport["summary"];
}

const satisfies = ({ inapplicableIf }: ContractRequirement, status: ContractStatus): boolean =>
  status === "pass" || (status === "na" && inapplicableIf !== undefined);

const highestOf = (summary: ContractReport["summary"]): Tier | "none" =>
  tiers.findLast((tier) => summary[`tier_${tier}`].satisfied) ?? "none";
