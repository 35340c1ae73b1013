import type { ExchangeRecorded, SkillTried } from "@assay/suite/report";
import type { Run } from "../run.ts";

/** Verdict of one source on a test. A test fails if one source says so, and passes if one says so and none fails. */
export interface StepVerdict {
  readonly status: "pass" | "fail" | "skip";
  readonly message?: string;
  /** for a skip: the test does not concern this agent */
  readonly isUnconcerned?: true;
}

export const passes: StepVerdict = { status: "pass" };
export const fails = (message: string): StepVerdict => ({ status: "fail", message });
/** Skips a test that concerns the agent and was not examined. */
export const skips = (message: string): StepVerdict => ({ status: "skip", message });
/** Skips a test that does not concern the agent. */
export const unconcerned = (message: string): StepVerdict => ({ status: "skip", message, isUnconcerned: true });

export const noCard: readonly StepVerdict[] = [skips("no Agent Card was found")];

/** A run as the tests of the procedure read it. */
export interface RunEvidence extends Run {
  /** as it was fetched; absent where no card was found */
  readonly card: Readonly<Record<string, unknown>> | undefined;
  readonly exchanges: readonly ExchangeRecorded[];
  readonly skills: readonly SkillTried[];
}

export function evidenceOf(run: Run): RunEvidence {
  const exchanges = run.events.filter((event): event is ExchangeRecorded => event.event === "exchange");
  const isCard = ({ entry }: ExchangeRecorded): boolean =>
    entry.request.url === run.report.cardUrl && entry.response.status === 200;
  return {
    ...run,
    exchanges,
    card: exchanges.filter(isCard).map(answerOf).find(isObject),
    skills: run.events.filter((event): event is SkillTried => event.event === "skill-tried"),
  };
}

/** Reads the JSON of an answer; undefined where it is not JSON. */
export const answerOf = ({ entry: { response } }: ExchangeRecorded): unknown => parsed(response.content.text);

/** Reads the JSON of the first event of an SSE stream. */
export const firstEventOf = ({ entry: { response } }: ExchangeRecorded): unknown =>
  parsed(/^data:(.*)$/m.exec(response.content.text)?.[1]);

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const objectIn = (value: unknown, member: string): Record<string, unknown> | undefined => {
  const inner = isObject(value) ? value[member] : undefined;
  return isObject(inner) ? inner : undefined;
};
