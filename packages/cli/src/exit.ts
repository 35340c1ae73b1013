/** How a command can end (shown in --help). */
export const exitCodes = {
  fine: 0,
  /** the agent answered with an error, or with something that is no A2A */
  agent: 1,
  /** wrong usage, or an agent that cannot be reached, has no card, or asks for a login */
  usage: 2,
  /** our own error */
  ours: 3,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Something the user can put right: what it is, and what to do next. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly hint: string | undefined;

  constructor(message: string, hint?: string, cause?: unknown) {
    super(message, { cause });
    this.hint = hint;
  }
}

/** What the agent did wrong, where that leaves nothing to go on with. */
export class AgentFault extends Error {
  override readonly name = "AgentFault";
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}
