import type { ConformanceLevel, ConformanceOutcome, Scope } from "./document.ts";
import type { LifecycleAnswer, RunEnding } from "./events.ts";
import { levelOf } from "./level.ts";
import type { ConformanceResult } from "./result.ts";
import { isExamined } from "./verdict.ts";

/** The conclusion of a run: the outcome, the level, and the reason. */
export interface Conclusion {
  readonly outcome: ConformanceOutcome;
  readonly level: ConformanceLevel | null;
  readonly because: string;
}

/** The input for the outcome of one protocol version. */
export interface OutcomeInput {
  readonly ending: RunEnding | "cut-off";
  /** the message of the run's ending */
  readonly message?: string | undefined;
  readonly scope: Scope;
  readonly results: readonly ConformanceResult[];
  /** the responses to a plain message, one per interface that received one */
  readonly answers: readonly LifecycleAnswer[];
  readonly streaming: boolean;
  readonly pushNotifications: boolean;
  /** interfaces of the card that Assay could not test and that the operator did not exclude */
  readonly untested: number;
  /** the supported ones among them that should have shown something, each with its address and reason */
  readonly unseen: readonly string[];
}

/** Endings that make a run inconclusive, and their texts. */
const inconclusive: Partial<Record<RunEnding | "cut-off", string>> = {
  unreachable: "the agent did not answer",
  "egress-refused": "Assay may not contact the address",
  "no-card": "Assay found no card",
  "login-required": "the agent asks for a login",
  "payment-required": "the agent asks for payment",
  "no-usable-interface": "Assay cannot test any interface of the card",
  "agent-gone": "the agent stopped answering",
  interrupted: "the run was interrupted",
  "cut-off": "the run was cut off",
};

/** Responses that show a working core lifecycle. Tasks that always fail or never end do not. */
const shows: readonly LifecycleAnswer[] = ["message", "completed", "waiting"];

/** Implements the table of outcomes (DESIGN §7) for one version. */
export function conclusionOf(input: OutcomeInput): Conclusion {
  const { ending, message, scope, results } = input;
  if (ending === "no-interface")
    return { outcome: "not-conformant", level: "non-conformant", because: "the card lists no interface" };
  const open = inconclusive[ending];
  // An agent that is gone after a proven crash is not conformant.
  const isCrash = results.some(({ verdict, code, disputed }) => verdict === "fail" && code === "crashed" && !disputed);
  if (open !== undefined && !(ending === "agent-gone" && isCrash))
    return { outcome: "inconclusive", level: null, because: message ?? open };

  const failed = results.some(({ verdict, disputed }) => verdict === "fail" && !disputed);
  // Recorded traffic covers only what others sent, and a gateway has no rules of its own, so they have no level.
  if (failed && (scope === "traffic" || scope === "gateway"))
    return { outcome: "not-conformant", level: null, because: scopeWords[scope] };
  const isOver = ending === "time-over" || ending === "agent-gone";
  if (failed) {
    const { level, because } = levelOf({ ...input, ended: !isOver });
    return { outcome: "not-conformant", level, because };
  }
  if (ending === "agent-exited")
    return { outcome: "inconclusive", level: null, because: message ?? "the agent's process exited" };
  if (isOver) return { outcome: "inconclusive", level: null, because: message ?? "the run reached its time limit" };
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
          because: `${scopeWords[scope]}, and none of those rules could be examined`,
        };
  }
  const missing = coreMissing(input);
  if (missing !== undefined) return { outcome: "inconclusive", level: null, because: missing };
  const { level, because } = levelOf({ ...input, ended: true });
  return { outcome: level === null ? "inconclusive" : "conformant", level, because };
}

const scopeWords: Record<Exclude<Scope, "everything">, string> = {
  card: "Assay examined only the card",
  free: "Assay sent no message",
  filtered: "Assay examined only some of the rules",
  traffic: "Assay examined only the recorded traffic",
  gateway: "Assay compared both ends of the gateway",
};

/** Returns why the core lifecycle does not work, or undefined. */
function coreMissing({ results, answers }: OutcomeInput): string | undefined {
  if (answers.some((answer) => shows.includes(answer))) return undefined;
  const isSent = results.some(({ test, verdict }) => test === "SEND-001" && verdict === "pass");
  // Older recordings do not contain the responses.
  if (answers.length === 0 && isSent) return undefined;
  if (answers.includes("failed")) return "every task failed";
  if (answers.includes("unfinished")) return "no task ended in time";
  if (answers.includes("refused")) return "the agent rejected the message";
  if (answers.includes("silence")) return "the agent answered no message";
  const sent = results.find(({ test, verdict }) => test === "SEND-001" && verdict === "not-examined");
  return sent?.message === undefined ? "Assay sent no message" : `sending a message was not examined: ${sent.message}`;
}

const worstFirst: readonly ConformanceOutcome[] = ["not-conformant", "inconclusive", "conformant"];
/** No level makes no claim, so it ranks above non-conformant only. */
const lowestFirst: readonly (ConformanceLevel | null)[] = ["non-conformant", null, "minimal", "partial", "full"];

/** Combines several declared versions: the worst outcome, and the lowest level with its reason. */
export function worstOf(conclusions: readonly Conclusion[]): Conclusion {
  const outcome = worstFirst.find((each) => conclusions.some((one) => one.outcome === each))!;
  const rank = (one: Conclusion): number =>
    lowestFirst.indexOf(one.level) * worstFirst.length + worstFirst.indexOf(one.outcome);
  const [lowest] = conclusions.toSorted((a, b) => rank(a) - rank(b));
  return { ...lowest!, outcome };
}
