/** The process of an agent that the operator let us start, as a run needs to know it. */
export interface AgentProcess {
  /** how often it was started */
  readonly starts: number;
  /** How it ended, and what it wrote last; undefined while it runs. Waits a moment for an end that is about to be told. */
  ending(): Promise<string | undefined>;
  /** Starts it again. */
  restart(): void;
}
