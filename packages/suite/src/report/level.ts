import { causeFinder } from "./cause.ts";
import type { ConformanceLevel } from "./document.ts";
import { type ConformanceResult, interfaceKey, ruleKey, subjects } from "./result.ts";
import { isExamined, type Unexamined } from "./verdict.ts";
import { deadInterfaces, truthful, weigher } from "./weight.ts";

export interface LevelInput {
  readonly results: readonly ConformanceResult[];
  readonly streaming: boolean;
  readonly pushNotifications: boolean;
  /** the run completed, so rules without a result were never tested */
  readonly ended: boolean;
  /** interfaces of the card that Assay could not test and that the operator did not exclude */
  readonly untested: number;
}

export interface LevelOutcome {
  readonly level: ConformanceLevel | null;
  readonly because: string;
}

/** Determines the level of conformance (DESIGN §7). It never claims anything that was not examined. */
export function levelOf({ results, streaming, pushNotifications, ended, untested }: LevelInput): LevelOutcome {
  const causeOf = causeFinder(results);
  const counted = results.filter(({ disputed }) => !disputed);
  const failed = counted.filter(({ verdict }) => verdict === "fail");
  // Rules that no counted failure blocks are only not examined.
  const heldUp = counted.filter((result) => {
    const cause = result.verdict === "blocked" ? causeOf(result) : undefined;
    return cause !== undefined && !cause.disputed;
  });

  const weightOf = weigher(counted);
  const brokenCard = failed.filter((result) => weightOf(result) === "card");
  if (brokenCard.length) return { level: "non-conformant", because: `the card is not valid (${ids(brokenCard)})` };
  const dead = deadInterfaces(counted);
  const isDead = ({ interface: on }: ConformanceResult): boolean => dead.has(interfaceKey(on));
  const basicsOf = (all: readonly ConformanceResult[]): ConformanceResult[] =>
    all.filter((result) => weightOf(result) === "basics");
  // Names the rules that failed. Those that they block are only named if no basic rule failed itself.
  const brokenBasics = [basicsOf(failed), basicsOf(heldUp)].find((basics) => basics.length > 0);
  if (brokenBasics) return { level: "non-conformant", because: `the basics do not work (${ids(brokenBasics)})` };

  const passes = (holds: (result: ConformanceResult) => boolean): boolean =>
    counted.some((result) => result.verdict === "pass" && holds(result));
  if (!passes(({ category }) => category === "agent-card")) return unexamined("the card");
  if (!passes(({ test }) => test === "SEND-001")) return unexamined("sending a message");

  // A blocked rule weighs no more than the failure that blocks it. The rules that a failure reaches can differ between
  // runs.
  const broken = failed.filter((result) => weightOf(result) === "core");
  if (broken.length) return { level: "minimal", because: `core rules are broken (${ids(broken)})` };

  const extras = failed.filter((result) => !isDead(result));
  const missing = [...(streaming ? [] : ["streaming"]), ...(pushNotifications ? [] : ["push"])];
  const gaps = [
    ...(extras.length ? [`${namesOf(extras)} ${isPlural(extras) ? "fail" : "fails"} (${ids(extras)})`] : []),
    ...(missing.length ? [`${missing.join(" and ")} not offered`] : []),
    ...(dead.size
      ? [`${interfaces(dead.size)} of the card ${dead.size === 1 ? "does" : "do"} not work (${truthful})`]
      : []),
    ...(untested ? [`${interfaces(untested)} of the card could not be tested`] : []),
  ];
  if (gaps.length) return { level: "partial", because: gaps.join("; ") };
  if (!ended) return { level: "partial", because: "the run stopped before it examined everything" };
  const open = openRules(counted);
  if (open.size) {
    const rules = open.size === 1 ? "1 rule that applies was" : `${open.size} rules that apply were`;
    return { level: "partial", because: `${rules} not examined on every interface` };
  }
  return { level: "full", because: "every applicable rule was examined and passed" };
}

const interfaces = (count: number): string => (count === 1 ? "1 interface" : `${count} interfaces`);

const unexamined = (what: string): LevelOutcome => ({
  level: null,
  because: `${what} was not examined, which every level requires`,
});

/** Reasons on Assay's side, not the agent's. */
const leftOutByUs: readonly (Unexamined | undefined)[] = ["filter", "depth", "budget", "interrupted"];

/**
 * Returns the rules that prevent "every applicable rule was examined". A rule that one interface triggered need not be
 * triggered on every other. A rule that Assay excluded, or that had an internal error, stays open.
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

/** Returns the subject, which says more than the category. */
const subjectOf = ({ category, tags = [] }: ConformanceResult): string =>
  subjects.find((subject) => tags.includes(subject)) ?? category;

const namesOf = (results: readonly ConformanceResult[]): string =>
  [...new Set(results.map(subjectOf))].map((subject) => shortNames[subject] ?? subject).join(" and ");

/** Returns the first few ids, and how many more there are. */
function ids(results: readonly ConformanceResult[]): string {
  const all = [...new Set(results.map(({ test }) => test))];
  return all.length > 4 ? `${all.slice(0, 4).join(", ")} and ${all.length - 4} more` : all.join(", ");
}
