import type { AgentProcess } from "../agent-process.ts";

/**
 * Each crash costs three restarts, one to notice it and two to prove it. If the request is answered first, it costs
 * about twelve.
 */
const mostRestarts = 80;
/** Maximum delay between a broken connection and the notice of the exit. */
export const exitNoticeMs = 500;

interface RestartOptions {
  readonly process: AgentProcess;
  /** waits until the agent answers; returns false at the time limit */
  readonly isUp: () => Promise<boolean>;
  /** called when the process has ended and was restarted */
  readonly onRestart: (ending: string) => void;
}

/** Restarts an agent of Assay when its process has ended. */
export class Restarts {
  readonly #options: RestartOptions;
  #underWay: Promise<boolean> | undefined;
  #last: { readonly ending: string; readonly at: number } | undefined;

  constructor(options: RestartOptions) {
    this.#options = options;
  }

  /** The number of starts. */
  get starts(): number {
    return this.#options.process.starts;
  }

  /** Restarts it if it has ended, once for all callers. Returns true if it is back. */
  async recover(): Promise<boolean> {
    this.#underWay ??= this.#restart().finally(() => {
      this.#underWay = undefined;
    });
    return this.#underWay;
  }

  /** Returns how the process of this start ended, if it did by this time. */
  async exit(starts: number, deadline: number): Promise<string | undefined> {
    const ending = await this.#options.process.ending(Math.max(0, deadline - performance.now()));
    // Another caller may have restarted it meanwhile.
    if (this.starts !== starts)
      return this.#last && this.#last.at <= deadline + exitNoticeMs ? this.#last.ending : undefined;
    return performance.now() <= deadline + exitNoticeMs ? ending : undefined;
  }

  /** Waits while it is restarted. */
  async ready(): Promise<void> {
    await this.#underWay;
  }

  async #restart(): Promise<boolean> {
    const { process, isUp, onRestart } = this.#options;
    const ending = await process.ending(exitNoticeMs);
    if (ending === undefined || process.starts > mostRestarts) return false;
    this.#last = { ending, at: performance.now() };
    process.restart();
    onRestart(ending);
    return isUp();
  }
}
