/** What a check found about one rule on one interface. */
export const verdictNames = ["pass", "fail", "not-applicable", "not-examined", "blocked", "error"] as const;
export type VerdictName = (typeof verdictNames)[number];

/** The short word for a verdict, for readers that know three. */
export type Status = "pass" | "fail" | "skip";

export const statusOf = (verdict: VerdictName): Status =>
  verdict === "pass" ? "pass" : verdict === "fail" ? "fail" : "skip";

/** Whether the verdict says something about the agent's keeping of the rule. */
export const isExamined = (verdict: VerdictName): boolean => verdict === "pass" || verdict === "fail";

/** Why a rule that concerns the agent was not examined; the reader can change most of them. */
export type Unexamined =
  /** no message is known that makes this agent show the behaviour */
  | "prompt"
  /** for this alone: a second principal, one with fewer rights, or others than were given */
  | "credentials"
  /** the agent asks for credentials that it was not given */
  | "login"
  /** the agent answers those who pay for it */
  | "payment"
  /** a host that we may not contact unasked */
  | "egress"
  | "webhook"
  /** not at this depth */
  | "depth"
  | "budget"
  /** --only or --skip */
  | "filter"
  /** could hurt, and was not allowed */
  | "rude"
  /** the agent answered differently each time, or not in time */
  | "unstable"
  /** a stream stayed open and its task did not end in time; legal, and the message has the events */
  | "endless-stream"
  /** not triggered by anything in this run */
  | "not-triggered"
  /** what it rests on is missing, and that is no failure: a warning, a contested rule, a version that is not claimed */
  | "prerequisite"
  /** a client that would not be put into the situation */
  | "declined"
  | "interrupted";
