import { causeFinder } from "./cause.ts";
import type { ConformanceLevel } from "./document.ts";
import { type ConformanceResult, interfaceKey, ruleKey, subjects } from "./result.ts";
import { isExamined, type Unexamined } from "./verdict.ts";
import { deadInterfaces, truthful, weigher } from "./weight.ts";

export interface LevelInput {
  readonly results: readonly ConformanceResult[];
  readonly streaming: boolean;
  readonly pushNotifications: boolean;
  /** the run came to its end; what was never asked has no result */
  readonly ended: boolean;
  /** interfaces of the card that could not be tested, by no choice of the operator */
  readonly untested: number;
}

export interface LevelOutcome {
  readonly level: ConformanceLevel | null;
  readonly because: string;
}

/** The level of conformance (DESIGN §7). Nothing is claimed that was not examined. */
export function levelOf({ results, streaming, pushNotifications, ended, untested }: LevelInput): LevelOutcome {
  const causeOf = causeFinder(results);
  const counted = results.filter(({ disputed }) => !disputed);
  const failed = counted.filter(({ verdict }) => verdict === "fail");
  // What no failure that counts holds up is no more than not examined.
  const heldUp = counted.filter((result) => {
    const cause = result.verdict === "blocked" ? causeOf(result) : undefined;
    return cause !== undefined && !cause.disputed;
  });

  const weightOf = weigher(counted);
  const brokenCard = failed.filter((result) => weightOf(result) === "card");
  if (brokenCard.length) return { level: "non-conformant", because: `the card is not valid (${ids(brokenCard)})` };
  const dead = deadInterfaces(counted);
  const isDead = ({ interface: on }: ConformanceResult): boolean => dead.has(interfaceKey(on));
  const brokenBasics = [...failed, ...heldUp].filter((result) => weightOf(result) === "basics");
  if (brokenBasics.length) return { level: "non-conformant", because: `the basics do not work (${ids(brokenBasics)})` };

  const passes = (holds: (result: ConformanceResult) => boolean): boolean =>
    counted.some((result) => result.verdict === "pass" && holds(result));
  if (!passes(({ category }) => category === "agent-card")) return unexamined("the card");
  if (!passes(({ test }) => test === "SEND-001")) return unexamined("sending a message");

  // A blocked rule weighs no more than the failure that blocks it. Which rules a failure reaches can differ between two runs.
  const broken = failed.filter((result) => weightOf(result) === "core");
  if (broken.length) return { level: "minimal", because: `rules of the core are broken (${ids(broken)})` };

  const extras = failed.filter((result) => !isDead(result));
  const missing = [...(streaming ? [] : ["streaming"]), ...(pushNotifications ? [] : ["push"])];
  const gaps = [
    ...(extras.length ? [`${namesOf(extras)} ${isPlural(extras) ? "fail" : "fails"} (${ids(extras)})`] : []),
    ...(missing.length ? [`${missing.join(" and ")} not offered`] : []),
    ...(dead.size
      ? [`${interfaces(dead.size)} of the card ${dead.size === 1 ? "is" : "are"} not there (${truthful})`]
      : []),
    ...(untested ? [`${interfaces(untested)} of the card could not be tested`] : []),
  ];
  if (gaps.length) return { level: "partial", because: gaps.join("; ") };
  if (!ended) return { level: "partial", because: "the run stopped before everything was examined" };
  const open = openRules(counted);
  if (open.size) {
    const rules = open.size === 1 ? "1 rule that applies was" : `${open.size} rules that apply were`;
    return { level: "partial", because: `${rules} not examined on every interface` };
  }
  return { level: "full", because: "every rule that applies was examined, and holds" };
}

const interfaces = (count: number): string => (count === 1 ? "1 interface" : `${count} interfaces`);

const unexamined = (what: string): LevelOutcome => ({
  level: null,
  because: `${what} was not examined, so there is nothing that a level could rest on`,
});

/** Not the agent's doing: we chose to leave it out. */
const leftOutByUs: readonly (Unexamined | undefined)[] = ["filter", "depth", "budget", "interrupted"];

/**
 * The rules that stand in the way of "every rule that applies was examined". One that found its occasion on one
 * interface need not find it on every other; one that we left out, or that broke down on our side, is open all the same.
 */
function openRules(results: readonly ConformanceResult[]): Set<string> {
  const examined = new Set(results.filter(({ verdict }) => isExamined(verdict)).map(ruleKey));
  const isOpen = (result: ConformanceResult): boolean => {
    const { verdict, unexamined: reason } = result;
    if (verdict === "error" || verdict === "blocked") return true;
    return verdict === "not-examined" && (leftOutByUs.includes(reason) || !examined.has(ruleKey(result)));
  };
  return new Set(results.filter(isOpen).map(ruleKey));
}

const isPlural = (results: readonly ConformanceResult[]): boolean => new Set(results.map(subjectOf)).size > 1;

const shortNames: Readonly<Record<string, string>> = {
  "push-notifications": "push",
  lifecycle: "listing",
  "agent-card": "the extended or signed card",
  bindings: "a binding",
};

/** The subject says more than the category where a result has one. */
const subjectOf = ({ category, tags = [] }: ConformanceResult): string =>
  subjects.find((subject) => tags.includes(subject)) ?? category;

const namesOf = (results: readonly ConformanceResult[]): string =>
  [...new Set(results.map(subjectOf))].map((subject) => shortNames[subject] ?? subject).join(" and ");

/** The first few ids, and how many more there are. */
function ids(results: readonly ConformanceResult[]): string {
  const all = [...new Set(results.map(({ test }) => test))];
  return all.length > 4 ? `${all.slice(0, 4).join(", ")} and ${all.length - 4} more` : all.join(", ");
}
