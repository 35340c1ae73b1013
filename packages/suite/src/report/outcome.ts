import type { ConformanceLevel, ConformanceOutcome, Scope } from "./document.ts";
import type { LifecycleAnswer, RunEnding } from "./events.ts";
import { levelOf } from "./level.ts";
import type { ConformanceResult } from "./result.ts";
import { isExamined } from "./verdict.ts";

/** What a run comes to: the outcome first, then the level, and why it is this one. */
export interface Conclusion {
  readonly outcome: ConformanceOutcome;
  readonly level: ConformanceLevel | null;
  readonly because: string;
}

/** All that an outcome rests on, for one version of the protocol. */
export interface OutcomeInput {
  readonly ending: RunEnding | "cut-off";
  /** what the run said about its ending */
  readonly message?: string | undefined;
  readonly scope: Scope;
  readonly results: readonly ConformanceResult[];
  /** how a plain message was answered, on each interface where one was sent */
  readonly answers: readonly LifecycleAnswer[];
  readonly streaming: boolean;
  readonly pushNotifications: boolean;
  /** interfaces of the card that could not be tested, by no choice of the operator */
  readonly untested: number;
  /** those of them that we speak and that should have shown something: each with its address and the reason */
  readonly unseen: readonly string[];
}

/** Endings after which nothing is concluded, and what is said of them. */
const inconclusive: Partial<Record<RunEnding | "cut-off", string>> = {
  unreachable: "the agent did not answer",
  "egress-refused": "the address may not be contacted",
  "no-card": "no card was found",
  "login-required": "the agent asks for a login",
  "payment-required": "the agent asks for a payment",
  "no-usable-interface": "no interface of the card can be tested",
  "agent-gone": "the agent stopped answering",
  interrupted: "the run was interrupted",
  "cut-off": "the run was cut off",
};

/** Answers that show that the core of the lifecycle works; a task that only ever fails or never ends does not. */
const shows: readonly LifecycleAnswer[] = ["message", "completed", "waiting"];

/** The table of outcomes (DESIGN §7), for one version. */
export function conclusionOf(input: OutcomeInput): Conclusion {
  const { ending, message, scope, results } = input;
  if (ending === "no-interface")
    return { outcome: "not-conformant", level: "non-conformant", because: "the card lists no interface" };
  const open = inconclusive[ending];
  // An agent that is gone after a proven crash has shown what it is.
  const isCrash = results.some(({ verdict, code, disputed }) => verdict === "fail" && code === "crashed" && !disputed);
  if (open !== undefined && !(ending === "agent-gone" && isCrash))
    return { outcome: "inconclusive", level: null, because: message ?? open };

  const failed = results.some(({ verdict, disputed }) => verdict === "fail" && !disputed);
  // How much of the protocol works is not to be told from what others happened to ask.
  if (failed && scope === "traffic") return { outcome: "not-conformant", level: null, because: scopeWords.traffic };
  const isOver = ending === "time-over" || ending === "agent-gone";
  if (failed) {
    const { level, because } = levelOf({ ...input, ended: !isOver });
    return { outcome: "not-conformant", level, because };
  }
  if (ending === "agent-exited")
    return { outcome: "inconclusive", level: null, because: message ?? "the process of the agent exited" };
  if (isOver)
    return { outcome: "inconclusive", level: null, because: message ?? "the time for the run was over before its end" };
  const { unseen } = input;
  if (unseen.length) {
    const more = unseen.length > 1 ? ` (and ${unseen.length - 1} more)` : "";
    return { outcome: "inconclusive", level: null, because: `${unseen[0]}${more}` };
  }
  if (scope !== "everything") {
    return results.some(({ verdict }) => isExamined(verdict))
      ? { outcome: "conformant", level: null, because: scopeWords[scope] }
      : {
          outcome: "inconclusive",
          level: null,
          because: `${scopeWords[scope]}, and no rule of that could be examined`,
        };
  }
  const missing = coreMissing(input);
  if (missing !== undefined) return { outcome: "inconclusive", level: null, because: missing };
  const { level, because } = levelOf({ ...input, ended: true });
  return { outcome: level === null ? "inconclusive" : "conformant", level, because };
}

const scopeWords: Record<Exclude<Scope, "everything">, string> = {
  card: "only the card was examined",
  free: "no message was sent",
  filtered: "only some of the rules were examined",
  traffic: "only what crossed was examined",
};

/** Why the core of the lifecycle cannot be said to work; undefined where it does. */
function coreMissing({ results, answers }: OutcomeInput): string | undefined {
  if (answers.some((answer) => shows.includes(answer))) return undefined;
  const isSent = results.some(({ test, verdict }) => test === "SEND-001" && verdict === "pass");
  // Recordings of before this was written down say no more than that.
  if (answers.length === 0 && isSent) return undefined;
  if (answers.includes("failed")) return "every task that was started failed";
  if (answers.includes("unfinished")) return "no task came to its end in time";
  if (answers.includes("refused")) return "the agent refused our message";
  if (answers.includes("silence")) return "no message was answered";
  const sent = results.find(({ test, verdict }) => test === "SEND-001" && verdict === "not-examined");
  return sent?.message === undefined ? "no message was sent" : `sending a message was not examined: ${sent.message}`;
}

const worstFirst: readonly ConformanceOutcome[] = ["not-conformant", "inconclusive", "conformant"];
/** No level is no claim: worse than any but the one that says that the agent cannot be used. */
const lowestFirst: readonly (ConformanceLevel | null)[] = ["non-conformant", null, "minimal", "partial", "full"];

/** Of several versions that the agent declares: the worst outcome, and the lowest level with its reason. */
export function worstOf(conclusions: readonly Conclusion[]): Conclusion {
  const outcome = worstFirst.find((each) => conclusions.some((one) => one.outcome === each))!;
  const rank = (one: Conclusion): number =>
    lowestFirst.indexOf(one.level) * worstFirst.length + worstFirst.indexOf(one.outcome);
  const [lowest] = conclusions.toSorted((a, b) => rank(a) - rank(b));
  return { ...lowest!, outcome };
}
