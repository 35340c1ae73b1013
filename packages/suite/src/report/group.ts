import { type ConformanceReport, resultsOf } from "./document.ts";
import { byCause, signsInAnswers } from "./one-cause.ts";
import { exampleOf, headlineOf } from "./one-cause-words.ts";
import { type ConformanceResult, type InterfaceName, ruleKey } from "./result.ts";
import { troubleText } from "./trouble.ts";
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

/** "JSON-RPC"; "JSON-RPC 0.3" where the version is not the one that goes without saying. */
export const placeName = ({ binding, dialect }: InterfaceName): string =>
  dialect === "1.0" ? bindingName(binding) : `${bindingName(binding)} ${dialect}`;

/** "JSON-RPC", with the version where it is not 1.0; "card" for what is about no interface; "client over …" for the other side. */
export const whereOf = ({
  interface: on,
  dialect,
  party,
}: Pick<ConformanceResult, "interface" | "dialect" | "party">): string =>
  `${party ? `${party} over ` : ""}${on ? bindingName(on.binding) : "card"}${dialect === "1.0" ? "" : ` ${dialect}`}`;

/** Warnings with one cause together: the same rule on several interfaces, one handler that is not there. */
export function warningsOf(report: ConformanceReport): FindingGroup[] {
  const warned = resultsOf(report).filter(({ warning }) => warning !== undefined);
  return byCause(warned, signsInAnswers).map((results) => ({
    test: results[0]!.test,
    also: [...new Set(results.map(({ test }) => test))].slice(1),
    message: headlineOf(results),
    example: exampleOf(results),
    results,
    where: [...new Set(results.map(whereOf))].join(", "),
    blocks: 0,
  }));
}

/** Why rules that apply were not examined: how many for each reason, and what would change it. */
export interface UnexaminedGroup {
  readonly reason: Unexamined;
  readonly rules: number;
  readonly enable?: string;
  /** what the network or a gateway did: "a gateway returned 504 after 3 s" */
  readonly trouble?: string;
  /** what happened, where the reason alone does not say it */
  readonly because?: string;
}

export function unexaminedOf(report: ConformanceReport): UnexaminedGroup[] {
  const results = resultsOf(report);
  // Each rule is counted once: not at all when one interface showed it, else for the first reason it has.
  const settled = new Set(results.filter(({ verdict }) => isExamined(verdict)).map(ruleKey));
  const groups = new Map<string, ConformanceResult[]>();
  for (const result of results) {
    const { verdict, unexamined, enable = "", trouble } = result;
    if (verdict !== "not-examined" || unexamined === undefined || settled.has(ruleKey(result))) continue;
    settled.add(ruleKey(result));
    const key = trouble ? `${trouble.code} ${trouble.status}` : `${unexamined} ${enable}`;
    groups.set(key, [...(groups.get(key) ?? []), result]);
  }
  return [...groups.values()].map(groupOf).toSorted((a, b) => b.rules - a.rules);
}

/** Results with one reason as one line. */
function groupOf(results: readonly ConformanceResult[]): UnexaminedGroup {
  const { unexamined, trouble, message } = results[0]!;
  const enable = results.find((each) => each.enable !== undefined)?.enable;
  const times = results.flatMap((each) => each.trouble?.seconds ?? []);
  const range = times.length ? ([Math.min(...times), Math.max(...times)] as const) : undefined;
  return {
    reason: unexamined!,
    rules: results.length,
    ...(enable !== undefined && { enable }),
    ...(trouble && { trouble: troubleText(trouble, range) }),
    ...(unexamined === "endless-stream" && message !== undefined && { because: message }),
  };
}

/** What the network or a gateway kept from being examined, a sentence each: "67 rules not examined: a gateway returned 504 after 3 s" */
export const troublesOf = (report: ConformanceReport): string[] =>
  unexaminedOf(report).flatMap(({ rules, trouble }) =>
    trouble === undefined ? [] : [`${rules === 1 ? "1 rule" : `${rules} rules`} not examined: ${trouble}`],
  );
