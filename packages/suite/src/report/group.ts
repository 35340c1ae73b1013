import type { ConformanceReport } from "./document.ts";
import { resultsOf } from "./fold.ts";
import type { ConformanceResult } from "./result.ts";
import type { Unexamined } from "./verdict.ts";

/** The same thing found on several interfaces: said once. */
export interface FindingGroup {
  readonly test: string;
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

/** "JSON-RPC", with the version where it is not 1.0; "card" for what is about no interface. */
export const whereOf = ({ interface: on }: ConformanceResult): string =>
  on ? `${bindingName(on.binding)}${on.dialect === "1.0" ? "" : ` ${on.dialect}`}` : "card";

/** What to fix first: failures that hold others up, then by how many interfaces they concern, then as the rules stand. */
export function failuresOf(report: ConformanceReport): FindingGroup[] {
  const failed = resultsOf(report).filter(({ verdict, expected }) => verdict === "fail" && expected === undefined);
  const groups = grouped(failed, ({ message }) => message ?? "");
  const blocks = new Map<string, number>();
  for (const cause of report.rootCauses) blocks.set(cause.test, (blocks.get(cause.test) ?? 0) + cause.blocks);
  return groups
    .map((group) => ({ ...group, blocks: blocks.get(group.test) ?? 0 }))
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
  const examined = new Set(
    resultsOf(report)
      .filter(({ status }) => status !== "skip")
      .map(({ test }) => test),
  );
  const groups = new Map<string, { reason: Unexamined; enable: string | undefined; tests: Set<string> }>();
  for (const { verdict, test, unexamined, enable } of resultsOf(report)) {
    if (verdict !== "not-examined" || unexamined === undefined || examined.has(test)) continue;
    const key = `${unexamined} ${enable ?? ""}`;
    const group = groups.get(key) ?? { reason: unexamined, enable, tests: new Set() };
    group.tests.add(test);
    groups.set(key, group);
  }
  return [...groups.values()]
    .map(({ reason, enable, tests }) => ({ reason, rules: tests.size, ...(enable !== undefined && { enable }) }))
    .toSorted((a, b) => b.rules - a.rules);
}

function grouped(
  results: readonly ConformanceResult[],
  messageOf: (result: ConformanceResult) => string,
): FindingGroup[] {
  const groups = new Map<string, ConformanceResult[]>();
  for (const result of results) {
    const key = `${result.test} ${messageOf(result)}`;
    groups.set(key, [...(groups.get(key) ?? []), result]);
  }
  return [...groups.values()].map((same) => ({
    test: same[0]!.test,
    message: messageOf(same[0]!),
    example: same[0]!,
    results: same,
    where: [...new Set(same.map(whereOf))].join(", "),
    blocks: 0,
  }));
}
