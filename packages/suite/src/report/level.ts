import type { ConformanceLevel } from "./document.ts";
import type { Category, ConformanceResult } from "./result.ts";
import { isExamined } from "./verdict.ts";

/** What an agent may leave out; a failure here is told apart from "not offered". */
const optional: readonly Category[] = ["streaming", "push-notifications"];

/**
 * The rules that "basic send, and get if it makes tasks, works" rests on. Everything else can be wrong with an agent
 * that is of some use all the same.
 */
const basics = ["CARD-016", "SEND-001", "GET-001"];

export interface LevelInput {
  readonly results: readonly ConformanceResult[];
  readonly streaming: boolean;
  readonly pushNotifications: boolean;
}

export interface LevelOutcome {
  readonly level: ConformanceLevel | null;
  readonly because: string;
}

/** The level of conformance (DESIGN §7). Nothing is claimed that was not examined. */
export function levelOf({ results, streaming, pushNotifications }: LevelInput): LevelOutcome {
  const counted = results.filter(({ disputed }) => !disputed);
  const failed = counted.filter(({ verdict }) => verdict === "fail");
  const blocked = counted.filter(({ verdict }) => verdict === "blocked");

  const brokenCard = failed.filter(({ category }) => category === "agent-card");
  if (brokenCard.length) return { level: "non-conformant", because: `the card is not valid (${ids(brokenCard)})` };
  const brokenBasics = failed.filter(({ test }) => basics.includes(test));
  if (brokenBasics.length) return { level: "non-conformant", because: `the basics do not work (${ids(brokenBasics)})` };

  const sent = counted.some(({ test, verdict }) => test === "SEND-001" && verdict === "pass");
  if (!sent) return { level: null, because: "no message was sent, so there is nothing that a level could rest on" };

  const isOptional = ({ category }: ConformanceResult): boolean => optional.includes(category);
  const core = failed.filter((result) => !isOptional(result));
  if (core.length) return { level: "minimal", because: `rules of the core are broken (${ids(core)})` };
  const heldUp = blocked.filter((result) => !isOptional(result));
  if (heldUp.length) return { level: "minimal", because: `rules of the core are held up (${ids(heldUp)})` };

  const extras = [...failed, ...blocked];
  if (extras.length) return { level: "partial", because: `${namesOf(extras)} fails (${ids(extras)})` };
  const missing = [...(streaming ? [] : ["streaming"]), ...(pushNotifications ? [] : ["push"])];
  if (missing.length) return { level: "partial", because: `${missing.join(" and ")} not offered` };
  const open = new Set(
    counted.filter(({ verdict }) => verdict === "not-examined" || verdict === "error").map(({ test }) => test),
  );
  for (const { test, verdict } of counted) if (isExamined(verdict)) open.delete(test);
  if (open.size) {
    const rules = open.size === 1 ? "1 rule that applies was" : `${open.size} rules that apply were`;
    return { level: "partial", because: `${rules} not examined` };
  }
  return { level: "full", because: "every rule that applies was examined, and holds" };
}

const namesOf = (results: readonly ConformanceResult[]): string =>
  [...new Set(results.map(({ category }) => (category === "push-notifications" ? "push" : category)))].join(" and ");

/** The first few ids, and how many more there are. */
function ids(results: readonly ConformanceResult[]): string {
  const all = [...new Set(results.map(({ test }) => test))];
  return all.length > 4 ? `${all.slice(0, 4).join(", ")} and ${all.length - 4} more` : all.join(", ");
}
