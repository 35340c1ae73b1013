import type { ConformanceReport } from "./document.ts";
import { resultsOf } from "./fold.ts";
import { type ConformanceResult, interfaceKey, ruleKey } from "./result.ts";
import { isExamined, type Unexamined } from "./verdict.ts";

/** The same thing found on several interfaces: said once. */
export interface FindingGroup {
  readonly test: string;
  /** other rules that break by the very same thing */
  readonly also: readonly string[];
  /** what was seen; for warnings, the warning */
  readonly message: string;
  /** the first of `results`: its evidence stands for all */
  readonly example: ConformanceResult;
  readonly results: readonly ConformanceResult[];
  /** "JSON-RPC, HTTP+JSON", or "card" */
  readonly where: string;
  /** how many other results it holds up */
  readonly blocks: number;
}

const bindingNames: Record<string, string> = { JSONRPC: "JSON-RPC", "HTTP+JSON": "HTTP+JSON", GRPC: "gRPC" };

/** A binding as people write it. */
export const bindingName = (binding: string): string => bindingNames[binding] ?? binding;

/** "JSON-RPC", with the version where it is not 1.0; "card" for what is about no interface; "client over …" for the other side. */
export const whereOf = ({
  interface: on,
  dialect,
  party,
}: Pick<ConformanceResult, "interface" | "dialect" | "party">): string =>
  `${party ? `${party} over ` : ""}${on ? bindingName(on.binding) : "card"}${dialect === "1.0" ? "" : ` ${dialect}`}`;

/** What to fix first: failures that hold others up, then by how many interfaces they concern, then as the rules stand. */
export function failuresOf(report: ConformanceReport): FindingGroup[] {
  const failed = resultsOf(report).filter(({ verdict, expected }) => verdict === "fail" && expected === undefined);
  const groups = merged(grouped(failed, ({ message }) => message ?? ""));
  const blocks = new Map(
    report.rootCauses.map((cause) => [`${cause.test} ${interfaceKey(cause.interface)}`, cause.blocks]),
  );
  const held = ({ results }: FindingGroup): number =>
    results.reduce((sum, { test, interface: on }) => sum + (blocks.get(`${test} ${interfaceKey(on)}`) ?? 0), 0);
  return groups
    .map((group) => ({ ...group, blocks: held(group) }))
    .toSorted((a, b) => b.blocks - a.blocks || b.results.length - a.results.length);
}

export const warningsOf = (report: ConformanceReport): FindingGroup[] =>
  grouped(
    resultsOf(report).filter(({ warning }) => warning !== undefined),
    ({ warning }) => warning!,
  );

/** Why rules that apply were not examined: how many for each reason, and what would change it. */
export interface UnexaminedGroup {
  readonly reason: Unexamined;
  readonly rules: number;
  readonly enable?: string;
}

export function unexaminedOf(report: ConformanceReport): UnexaminedGroup[] {
  const results = resultsOf(report);
  // Each rule is counted once: not at all when one interface showed it, else for the first reason it has.
  const settled = new Set(results.filter(({ verdict }) => isExamined(verdict)).map(ruleKey));
  const groups = new Map<string, { reason: Unexamined; enable: string | undefined; rules: number }>();
  for (const result of results) {
    const { verdict, unexamined, enable } = result;
    if (verdict !== "not-examined" || unexamined === undefined || settled.has(ruleKey(result))) continue;
    settled.add(ruleKey(result));
    const key = `${unexamined} ${enable ?? ""}`;
    const group = groups.get(key) ?? { reason: unexamined, enable, rules: 0 };
    group.rules += 1;
    groups.set(key, group);
  }
  return [...groups.values()]
    .map(({ reason, enable, rules }) => ({ reason, rules, ...(enable !== undefined && { enable }) }))
    .toSorted((a, b) => b.rules - a.rules);
}

function grouped(
  results: readonly ConformanceResult[],
  messageOf: (result: ConformanceResult) => string,
): FindingGroup[] {
  const groups = new Map<string, ConformanceResult[]>();
  for (const result of results) {
    const key = `${result.test} ${messageOf(result)}`;
    const same = groups.get(key);
    if (same) same.push(result);
    else groups.set(key, [result]);
  }
  return [...groups.values()].map((same) => ({
    test: same[0]!.test,
    also: [],
    message: messageOf(same[0]!),
    example: same[0]!,
    results: same,
    where: [...new Set(same.map(whereOf))].join(", "),
    blocks: 0,
  }));
}

/**
 * Several rules may forbid the same thing: told in the same sentence, shown by the same bytes, or the same kind of breach
 * in the same exchange. It is repaired once.
 */
function merged(groups: readonly FindingGroup[]): FindingGroup[] {
  const found: FindingGroup[] = [];
  const places = new Map<string, number>();
  for (const group of groups) {
    const keys = group.results.flatMap(factsOf);
    const place = keys.map((key) => places.get(key)).find((known) => known !== undefined);
    for (const key of keys) if (!places.has(key)) places.set(key, place ?? found.length);
    if (place === undefined) {
      found.push(group);
      continue;
    }
    const known = found[place]!;
    const results = [...known.results, ...group.results];
    const also = known.test === group.test ? known.also : [...known.also, group.test];
    found[place] = { ...known, also, results, where: [...new Set(results.map(whereOf))].join(", ") };
  }
  return found;
}

/** By what a failure is known to be the same as another: one of these is enough. */
function factsOf({ message, sent, saw, want, code, evidence }: ConformanceResult): string[] {
  const shown = sent !== undefined && saw !== undefined ? [impersonal(sent), impersonal(saw)] : undefined;
  // The plain breach of a rule is another one for each rule.
  const kind = code === undefined || code === "broken" ? undefined : code;
  return [
    ...(message ? [message] : []),
    ...(shown ? [JSON.stringify([...shown, want])] : []),
    ...(kind && shown ? [JSON.stringify([...shown, { kind }])] : []),
    ...(kind && evidence[0] !== undefined ? [`${kind} in ${evidence[0]}`] : []),
    // One exception answers many requests.
    ...(kind === "crashed" && saw !== undefined ? [`${kind}: ${impersonal(saw)}`] : []),
  ];
}

/** Without what is new in every request: the id of a call, and the ids that were made up for it. */
const impersonal = (text: string): string =>
  text.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, "…").replace(/"id":\s*(\d+|"…")/g, '"id":…');
