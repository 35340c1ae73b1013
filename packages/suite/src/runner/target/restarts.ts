import type { AgentProcess } from "../agent-process.ts";

/** Each request that crashes the agent costs three, one to notice it and two to prove it; about twelve where it is answered first. */
const mostRestarts = 80;
/** How long after a connection broke the exit of the process may be noticed. */
export const exitNoticeMs = 500;

interface RestartOptions {
  readonly process: AgentProcess;
  /** whether the agent answers by now, asked until it does or the time is over */
  readonly isUp: () => Promise<boolean>;
  /** the process ended in this way, and was started again */
  readonly onRestart: (ending: string) => void;
}

/** Starts an agent of ours again when its process has ended. */
export class Restarts {
  readonly #options: RestartOptions;
  #underWay: Promise<boolean> | undefined;
  #last: { readonly ending: string; readonly at: number } | undefined;

  constructor(options: RestartOptions) {
    this.#options = options;
  }

  /** How often it was started. */
  get starts(): number {
    return this.#options.process.starts;
  }

  /** Starts it again if it has ended, once for all who ask; whether it is there again. */
  async recover(): Promise<boolean> {
    this.#underWay ??= this.#restart().finally(() => {
      this.#underWay = undefined;
    });
    return this.#underWay;
  }

  /** How the process of this start ended, where it did so by this time. */
  async exit(starts: number, deadline: number): Promise<string | undefined> {
    const ending = await this.#options.process.ending(Math.max(0, deadline - performance.now()));
    // Somebody else may have started it again meanwhile.
    if (this.starts !== starts)
      return this.#last && this.#last.at <= deadline + exitNoticeMs ? this.#last.ending : undefined;
    return performance.now() <= deadline + exitNoticeMs ? ending : undefined;
  }

  /** Waits while it is started again. */
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
