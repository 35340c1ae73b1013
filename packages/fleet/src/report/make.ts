import { defined } from "@assay/protocol";
import { AssayError } from "@assay/protocol/assay-error";
import { ruleOf } from "@assay/suite";
import { type ConformanceLevel, conformanceLevels, resultsOf } from "@assay/suite/report";
import { type AgentClass, agentClasses } from "../classes/agent-class.ts";
import type { FleetLedger, FleetVerdict, Sweep } from "../ledger/verdict.ts";
import { brokenRules } from "./broken-rules.ts";
import { changesBetween } from "./changes.ts";
import type { BuiltWithRow, CommonFailure, CommonReason, FleetReport, FleetRow } from "./document.ts";

/** The input of a report. */
export type FleetSource = Pick<FleetLedger, "sweeps" | "verdicts" | "latest" | "agent" | "report">;

export interface FleetReportOptions {
  /** name of the fleet (default: the only one) */
  readonly fleet?: string | undefined;
  /** name of the sweep (default: the newest finished one, or else the newest) */
  readonly sweep?: string | undefined;
  readonly version: string;
}

/** Maximum number of rules and reasons in a report; the rest is rare. */
const mostCommon = 25;
const mostExamples = 5;

export async function fleetReport(source: FleetSource, options: FleetReportOptions): Promise<FleetReport> {
  const sweeps = await source.sweeps(options.fleet);
  const sweep = chosenSweep(sweeps, options);
  const own = sweeps.filter(({ fleet }) => fleet === sweep.fleet);
  const comparedWith = own[own.indexOf(sweep) + 1];
  const verdicts = await withBroken(await source.verdicts(sweep.sweep), source);
  const before = comparedWith ? await source.latest(sweep.fleet, sweep.sweep) : [];
  const changes = comparedWith ? changesBetween(before, verdicts, { isWhole: sweep.endedAt !== undefined }) : [];
  const changeOf = new Map(changes.map(({ agent, kind }) => [agent, kind]));
  return {
    version: 1,
    tool: { name: "assay", version: options.version },
    fleet: sweep.fleet,
    sweep,
    ...(comparedWith && { comparedWith }),
    classes: classCounts(verdicts),
    agents: inLeague(verdicts).map((verdict, index) => rowOf(verdict, index + 1, changeOf.get(verdict.agent))),
    changes,
    failures: await commonFailures(verdicts, source),
    reasons: commonReasons(verdicts),
    builtWith: builtWithRows(verdicts),
  };
}

/** Thrown if the fleet or sweep does not exist; the message lists those that do. */
const noSweep = (message: string): AssayError => new AssayError({ code: "no-sweep", message });

function chosenSweep(sweeps: readonly Sweep[], { fleet, sweep: wanted }: FleetReportOptions): Sweep {
  const fleets = [...new Set(sweeps.map((each) => each.fleet))];
  if (fleets.length === 0)
    throw noSweep(fleet === undefined ? "no fleet was swept yet" : `the fleet ${fleet} was not swept yet`);
  if (wanted !== undefined) {
    const found = sweeps.find(({ sweep }) => sweep === wanted);
    if (!found) throw noSweep(`there is no sweep ${wanted}; the newest is ${sweeps[0]!.sweep}`);
    return found;
  }
  if (fleets.length > 1) throw noSweep(`there are several fleets: ${fleets.join(", ")}; name one`);
  return sweeps.find(({ endedAt }) => endedAt !== undefined) ?? sweeps[0]!;
}

/** Adds the broken rules to older verdicts that lack them, from their reports. */
async function withBroken(verdicts: readonly FleetVerdict[], source: FleetSource): Promise<FleetVerdict[]> {
  const known: FleetVerdict[] = [];
  for (const verdict of verdicts) {
    const isMissing = verdict.broken === undefined && verdict.outcome === "not-conformant" && verdict.run !== undefined;
    const report = isMissing ? await source.report(verdict.run!) : undefined;
    known.push(report ? { ...verdict, broken: brokenRules(report) } : verdict);
  }
  return known;
}

function rowOf(verdict: FleetVerdict, place: number, change: FleetRow["change"]): FleetRow {
  const { evidence: _, ...reason } = verdict.reason;
  const { agent, url, labels, outcome, level, examined, broken, builtWith, at, run, unchanged } = verdict;
  return {
    ...{ place, agent, url, labels, class: verdict.class, reason, at },
    ...{ attempts: verdict.attempts, duration_ms: verdict.duration_ms },
    ...defined({ outcome, level, examined, broken, builtWith, run, unchanged, change }),
  };
}

/** Counts the agents of each class, in the order of the league. */
export function classCounts(verdicts: readonly FleetVerdict[]): Partial<Record<AgentClass, number>> {
  const counts = counted(tally(verdicts, (verdict) => [verdict.class]));
  return Object.fromEntries(agentClasses.flatMap((each) => (counts[each] ? [[each, counts[each]]] : [])));
}

async function commonFailures(verdicts: readonly FleetVerdict[], source: FleetSource): Promise<CommonFailure[]> {
  const rows = tally(verdicts, ({ broken }) => broken ?? []).slice(0, mostCommon);
  const failures: CommonFailure[] = [];
  for (const { key: rule, members } of rows) {
    failures.push({
      rule,
      agents: members.length,
      ...(await ruleFacts(rule, members, source)),
      examples: members.slice(0, mostExamples).map(({ agent }) => agent),
    });
  }
  return failures;
}

/** The text and remedy of a rule, as one of the reports contains them. */
async function ruleFacts(
  rule: string,
  members: readonly FleetVerdict[],
  source: FleetSource,
): Promise<Omit<CommonFailure, "rule" | "agents" | "examples">> {
  for (const { run } of members.filter((member) => member.run !== undefined).slice(0, 3)) {
    const report = await source.report(run!);
    const result = report && resultsOf(report).find(({ test, verdict }) => test === rule && verdict === "fail");
    if (!result) continue;
    const { level, title, section, specUrl, remedy } = result;
    return { level, title, section, specUrl, ...(remedy !== undefined && { remedy }) };
  }
  const known = ruleOf(rule);
  return { level: known?.level ?? "MUST", title: known?.text ?? rule, section: known?.section ?? "", specUrl: "" };
}

/** Classes without an explanation, or whose failures are explained by their rules. */
const unexplained: readonly AgentClass[] = ["working", "rules-broken", "opted-out"];

/** Groups the agents that do not count as working by the reason, the most common first. */
export const commonReasons = (verdicts: readonly FleetVerdict[]): CommonReason[] =>
  tally(
    verdicts.filter((verdict) => !unexplained.includes(verdict.class)),
    (verdict) => [`${verdict.class} ${verdict.reason.code}`],
  )
    .slice(0, mostCommon)
    .map(({ members }) => ({
      class: members[0]!.class,
      code: members[0]!.reason.code,
      agents: members.length,
      remedy: members[0]!.reason.remedy,
      examples: members.slice(0, mostExamples).map(({ agent }) => agent),
    }));

const builtWithRows = (verdicts: readonly FleetVerdict[]): BuiltWithRow[] =>
  tally(verdicts, ({ builtWith }) => (builtWith ? [builtWith.name] : [])).map(({ key: name, members }) => {
    const [commonest] = tally(members, ({ broken }) => broken ?? []);
    return {
      name,
      agents: members.length,
      classes: classCounts(members),
      ...(commonest && { failure: { rule: commonest.key, agents: commonest.members.length } }),
    };
  });

const levelPlace = (level: ConformanceLevel | null | undefined): number =>
  level ? conformanceLevels.indexOf(level) : conformanceLevels.length;

const share = ({ examined }: FleetVerdict): number => (examined && examined.of > 0 ? examined.rules / examined.of : 0);

/** Sorts verdicts, best first: by class, level, number of broken rules, share of examined rules, then name. */
const inLeague = (verdicts: readonly FleetVerdict[]): FleetVerdict[] =>
  verdicts.toSorted(
    (a, b) =>
      agentClasses.indexOf(a.class) - agentClasses.indexOf(b.class) ||
      levelPlace(a.level) - levelPlace(b.level) ||
      (a.broken?.length ?? 0) - (b.broken?.length ?? 0) ||
      share(b) - share(a) ||
      compareNames(a.agent, b.agent),
  );

/** Compares by code unit, so that the order is the same on every machine. */
const compareNames = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

/** The members that share a key. Rows are sorted by number of members, then by key. */
interface TallyRow<T> {
  readonly key: string;
  readonly members: readonly T[];
}

function tally<T>(members: Iterable<T>, keysOf: (member: T) => readonly string[]): TallyRow<T>[] {
  const rows = new Map<string, T[]>();
  for (const member of members)
    for (const key of keysOf(member)) {
      const known = rows.get(key);
      if (known) known.push(member);
      else rows.set(key, [member]);
    }
  return [...rows]
    .map(([key, found]) => ({ key, members: found }))
    .toSorted((a, b) => b.members.length - a.members.length || (a.key < b.key ? -1 : 1));
}

/** Converts the rows to numbers by key. */
const counted = <T>(rows: readonly TallyRow<T>[]): Record<string, number> =>
  Object.fromEntries(rows.map(({ key, members }) => [key, members.length]));
