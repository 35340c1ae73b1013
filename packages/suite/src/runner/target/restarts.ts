import type { AgentProcess } from "../agent-process.ts";

/** Each request that ends it costs two: one to see whether it does so again, one to examine the rest. */
const mostRestarts = 10;

interface RestartOptions {
  readonly process: AgentProcess;
  /** whether the agent answers by now, asked until it does or the time is over */
  readonly isUp: () => Promise<boolean>;
  /** says that it ended, how, and that it was started again */
  readonly onRestart: (ending: string) => void;
}

/** An agent that we started: when its process ends it is started again, and what was under way is repeated one by one. */
export class Restarts {
  readonly #options: RestartOptions;
  #underWay: Promise<boolean> | undefined;
  #turns: Promise<void> = Promise.resolve();
  #isBlamed = false;

  constructor(options: RestartOptions) {
    this.#options = options;
  }

  /** How often it was started: a request that was sent under another number was under way when it ended. */
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

  /** A request is to blame for the end of the process. Whether it is the first: an agent that dies easily is told so once. */
  blame(): boolean {
    const isFirst = !this.#isBlamed;
    this.#isBlamed = true;
    return isFirst;
  }

  /** Waits while it is started again. */
  async ready(): Promise<void> {
    await this.#underWay;
  }

  /** Waits until no other request is repeated; the way to say that this one is over. */
  async turn(): Promise<() => void> {
    const before = this.#turns;
    let release = (): void => {};
    this.#turns = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    return release;
  }

  async #restart(): Promise<boolean> {
    const { process, isUp, onRestart } = this.#options;
    const ending = await process.ending();
    if (ending === undefined || process.starts > mostRestarts) return false;
    process.restart();
    onRestart(ending);
    return isUp();
  }
}
