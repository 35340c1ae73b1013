import { type ConformanceReport, resultsOf } from "./document.ts";
import { byCause, signsInAnswers } from "./one-cause.ts";
import { exampleOf, headlineOf } from "./one-cause-words.ts";
import { type ConformanceResult, type InterfaceName, ruleKey } from "./result.ts";
import { troubleText } from "./trouble.ts";
import { isExamined, type Unexamined } from "./verdict.ts";

/** The same finding on several interfaces, reported once. */
export interface FindingGroup {
  readonly test: string;
  /** other rules that the same behaviour breaks */
  readonly also: readonly string[];
  /** the observed behaviour; for warnings, the warning */
  readonly message: string;
  /** the first of `results`, whose evidence represents all */
  readonly example: ConformanceResult;
  readonly results: readonly ConformanceResult[];
  /** "JSON-RPC, HTTP+JSON", or "card" */
  readonly where: string;
  /** the number of other results it blocks */
  readonly blocks: number;
}

const bindingNames: Record<string, string> = { JSONRPC: "JSON-RPC", "HTTP+JSON": "HTTP+JSON", GRPC: "gRPC" };

/** Returns the usual spelling of a binding. */
export const bindingName = (binding: string): string => bindingNames[binding] ?? binding;

/** Returns "JSON-RPC", or "JSON-RPC 0.3" for versions other than 1.0. */
export const placeName = ({ binding, dialect }: InterfaceName): string =>
  dialect === "1.0" ? bindingName(binding) : `${bindingName(binding)} ${dialect}`;

/**
 * Returns "JSON-RPC", with the version if it is not 1.0, "card" for results without an interface, or "client over …".
 */
export const whereOf = ({
  interface: on,
  dialect,
  party,
}: Pick<ConformanceResult, "interface" | "dialect" | "party">): string =>
  `${party ? `${party} over ` : ""}${on ? bindingName(on.binding) : "card"}${dialect === "1.0" ? "" : ` ${dialect}`}`;

/** Groups warnings with one cause, such as the same rule on several interfaces, or one missing handler. */
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

/** A reason why applicable rules were not examined, with their number and the way to change it. */
export interface UnexaminedGroup {
  readonly reason: Unexamined;
  readonly rules: number;
  readonly enable?: string;
  /** the trouble of the network or a gateway: "a gateway returned 504 after 3 s" */
  readonly trouble?: string;
  /** the details, if the reason alone does not say enough */
  readonly because?: string;
}

export function unexaminedOf(report: ConformanceReport): UnexaminedGroup[] {
  const results = resultsOf(report);
  // Counts each rule once: not at all if one interface shows it, or else for its first reason.
  const settled = new Set(results.filter(({ verdict }) => isExamined(verdict)).map(ruleKey));
  const groups = new Map<string, ConformanceResult[]>();
  for (const result of results) {
    const { verdict, unexamined, enable = "", trouble } = result;
    if (verdict !== "not-examined" || unexamined === undefined || settled.has(ruleKey(result))) continue;
    settled.add(ruleKey(result));
    const key = trouble ? `${trouble.code} ${trouble.status}` : `${unexamined} ${enable}`;
    groups.set(key, [...(groups.get(key) ?? []), result]);
  }
  return [...groups.values()].map((group) => groupOf(group, report.subject)).toSorted((a, b) => b.rules - a.rules);
}

/** Reasons that a gateway has, and not the agent behind it. */
const gatewayReasons: Partial<Record<Unexamined, string>> = {
  webhook: "needs an address for webhooks at the gateway",
  filter: "excluded by --only",
  prerequisite: "needs something that the gateway does not offer, which is not a failure",
};

/** Merges results with one reason into one line. */
function groupOf(results: readonly ConformanceResult[], subject: ConformanceReport["subject"]): UnexaminedGroup {
  const { unexamined, trouble, message } = results[0]!;
  const enable = results.find((each) => each.enable !== undefined)?.enable;
  const times = results.flatMap((each) => each.trouble?.seconds ?? []);
  const because =
    unexamined === "endless-stream" ? message : subject === "gateway" ? gatewayReasons[unexamined!] : undefined;
  const range = times.length ? ([Math.min(...times), Math.max(...times)] as const) : undefined;
  return {
    reason: unexamined!,
    rules: results.length,
    ...(enable !== undefined && { enable }),
    ...(trouble && { trouble: troubleText(trouble, range) }),
    ...(because !== undefined && { because }),
  };
}

/**
 * Describes the rules that network or gateway trouble prevented: "67 rules not examined: a gateway returned 504 after
 * 3 s"
 */
export const troublesOf = (report: ConformanceReport): string[] =>
  unexaminedOf(report).flatMap(({ rules, trouble }) =>
    trouble === undefined ? [] : [`${rules === 1 ? "1 rule" : `${rules} rules`} not examined: ${trouble}`],
  );
