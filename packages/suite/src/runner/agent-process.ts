/** The agent process that Assay started for the operator. */
export interface AgentProcess {
  /** the number of starts */
  readonly starts: number;
  /** Returns how the process ended and what it wrote last, or undefined while it runs. Waits this long for its exit. */
  ending(withinMs: number): Promise<string | undefined>;
  /** Marks the agent as up: from here on, an exit of the process is a crash. */
  answers(): void;
  /** Starts it again. */
  restart(): void;
}
