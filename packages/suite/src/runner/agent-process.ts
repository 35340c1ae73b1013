/** The process of an agent that the operator let us start, as a run needs to know it. */
export interface AgentProcess {
  /** how often it was started */
  readonly starts: number;
  /** How it ended, and what it wrote last; undefined while it runs. Waits this long for its exit. */
  ending(withinMs: number): Promise<string | undefined>;
  /** The agent answers: from here on it is a crash when the process ends. */
  answers(): void;
  /** Starts it again. */
  restart(): void;
}
