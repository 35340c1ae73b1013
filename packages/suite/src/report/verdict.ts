/** The verdicts of a check about one rule on one interface. */
export const verdictNames = ["pass", "fail", "not-applicable", "not-examined", "blocked", "error"] as const;
export type VerdictName = (typeof verdictNames)[number];

/** A simplified verdict for tools that know three. */
export type Status = "pass" | "fail" | "skip";

export const statusOf = (verdict: VerdictName): Status =>
  verdict === "pass" ? "pass" : verdict === "fail" ? "fail" : "skip";

/** Returns true if the verdict says if the agent follows the rule. */
export const isExamined = (verdict: VerdictName): boolean => verdict === "pass" || verdict === "fail";

/** The reason why an applicable rule was not examined. The reader can change most of them. */
export type Unexamined =
  /** no known message makes this agent show the behaviour */
  | "prompt"
  /** needs further credentials: a second principal, a principal with fewer rights, or others than given */
  | "credentials"
  /** the agent asks for credentials and there are none */
  | "login"
  /** the agent asks for payment */
  | "payment"
  /** needs permission to contact another host */
  | "egress"
  | "webhook"
  /** not tested at this depth */
  | "depth"
  | "budget"
  /** --only or --skip */
  | "filter"
  /** could harm the agent, and was not allowed */
  | "rude"
  /** the agent answered inconsistently or too late */
  | "unstable"
  /** a stream stayed open, and its task did not end in time; legal, and the message has the events */
  | "endless-stream"
  /** nothing in this run triggered it */
  | "not-triggered"
  /**
   * needs something that the agent lacks, which is not a failure: a warning, a contested rule, a version that is not
   * claimed
   */
  | "prerequisite"
  /** the client declined the situation */
  | "declined"
  | "interrupted";
