import type { ConformanceLevel, Scope } from "./document.ts";
import { errorLine } from "./error-line.ts";
import type { RunEnding, SituationFinished, SpokenDialect } from "./events.ts";
import type { Conclusion } from "./outcome.ts";
import { type ConformanceResult, type InterfaceName, interfaceKey, ruleKey } from "./result.ts";
import { isExamined } from "./verdict.ts";
import { clientWeight } from "./weight.ts";

/** The input for the outcome of a client run. */
interface ClientRun {
  readonly started: { readonly filtered?: true } | undefined;
  readonly finished: { readonly ending: RunEnding; readonly message?: string } | undefined;
  readonly situations: readonly Omit<SituationFinished, "event">[];
}

/** The situation that is the control of the others. */
const plainest = "send";

/**
 * Returns the same outcomes as for an agent: a broken rule that counts is decisive. A run in which the client never
 * sent a message is inconclusive.
 */
export function clientConclusion(
  { started, finished, situations }: ClientRun,
  results: readonly ConformanceResult[],
): Conclusion {
  const ending = finished?.ending ?? "cut-off";
  const failed = results.filter(({ verdict, disputed }) => verdict === "fail" && !disputed);
  if (ending !== "done" && ending !== "time-over")
    return open(finished?.message ?? (ending === "interrupted" ? "the run was interrupted" : "the run was cut off"));
  if (failed.length) {
    const broken = failed.filter((result) => clientWeight(result) === "core");
    const level: ConformanceLevel = broken.length ? "minimal" : "partial";
    const because = broken.length ? "core rules are broken" : "rules are broken";
    return { outcome: "not-conformant", level, because: `${because} (${ids(broken.length ? broken : failed)})` };
  }
  if (ending === "time-over") return open("the run reached its time limit");
  if (!results.some(({ verdict }) => isExamined(verdict))) return open(nothingSeen(situations));
  if (situations.length && !situations.some((each) => acceptedIn(each) > 0))
    return open("the agent accepted no call of the client");
  const scope: Scope = started?.filtered ? "filtered" : "everything";
  if (scope === "filtered")
    return { outcome: "conformant", level: null, because: "Assay examined only some of the rules" };
  const isSent = situations.some(
    (each) => each.situation === plainest && each.ended === "done" && acceptedIn(each) > 0,
  );
  if (!isSent) return open("the client never sent a plain message");
  const left = openRules(results);
  return left === 0
    ? { outcome: "conformant", level: "full", because: "every applicable rule was examined and passed" }
    : {
        outcome: "conformant",
        level: "partial",
        because: `${left === 1 ? "1 rule that applies was" : `${left} rules that apply were`} not examined`,
      };
}

const acceptedIn = ({ accepted, requests }: ClientRun["situations"][number]): number => accepted ?? requests;

const open = (because: string): Conclusion => ({ outcome: "inconclusive", level: null, because });

/** Returns why there is no result: the reason of the first situation, if there is one. */
function nothingSeen(situations: ClientRun["situations"]): string {
  if (!situations.length) return "Assay recorded the requests of the client and did not judge them";
  const told = situations.find(({ because }) => because !== undefined);
  if (told) {
    // An exit code alone does not say why a command failed.
    const [trouble] = told.runs.map(({ errors }) => errorLine(errors).slice(0, 200)).filter(Boolean);
    return `${told.because}${trouble === undefined ? "" : ` (stderr: ${trouble})`}`;
  }
  if (situations.every(({ ended }) => ended === "declined")) return "the client declined every situation";
  return situations.some(({ requests }) => requests > 0)
    ? "the client called no interface of the card"
    : "the client sent no request";
}

function openRules(results: readonly ConformanceResult[]): number {
  const examined = new Set(results.filter(({ verdict }) => isExamined(verdict)).map(ruleKey));
  const isOpen = ({ verdict }: ConformanceResult): boolean => !isExamined(verdict) && verdict !== "not-applicable";
  return new Set(results.filter((result) => isOpen(result) && !examined.has(ruleKey(result))).map(ruleKey)).size;
}

/** Returns the interfaces that a client used. */
export const clientInterfaces = (results: readonly ConformanceResult[]): InterfaceName[] =>
  [...new Map(results.flatMap(({ interface: on }) => (on ? [[interfaceKey(on), on] as const] : []))).values()].toSorted(
    (a, b) =>
      a.dialect === b.dialect ? order.indexOf(a.binding) - order.indexOf(b.binding) : a.dialect < b.dialect ? 1 : -1,
  );

const order: readonly string[] = ["JSONRPC", "HTTP+JSON", "GRPC"];

/** Returns the versions that a client used. */
export const clientDialects = (results: readonly ConformanceResult[]): SpokenDialect[] =>
  [...new Set(results.map(({ dialect }) => dialect))]
    .toSorted((a, b) => (a < b ? 1 : -1))
    .map((dialect) => ({ dialect, because: "the client speaks it", declared: true }));

function ids(results: readonly ConformanceResult[]): string {
  const all = [...new Set(results.map(({ test }) => test))];
  return all.length > 4 ? `${all.slice(0, 4).join(", ")} and ${all.length - 4} more` : all.join(", ");
}
