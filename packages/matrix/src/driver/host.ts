import type { DriverRole } from "../document/document.ts";
import { DriverDied } from "./client-driver.ts";

interface Running {
  readonly isDead: boolean;
  stop(): Promise<void>;
}

/** Maximum number of restarts of a program. */
const mostStarts = 8;

/** Keeps a driver's program running: starts it on first use, and again after a crash. */
export class Host<Program extends Running> {
  readonly #start: () => Promise<Program>;
  readonly #who: readonly [name: string, role: DriverRole];
  #running: Promise<Program> | undefined;
  #current: Program | undefined;
  #starts = 0;
  #lost: DriverDied | undefined;

  constructor(name: string, role: DriverRole, start: () => Promise<Program>) {
    this.#who = [name, role];
    this.#start = start;
  }

  /** Returns the program; rejects with DriverDied if it is not available (any more). */
  async get(): Promise<Program> {
    if (this.#current?.isDead) this.#running = undefined;
    if (!this.#running) {
      if (this.#lost) throw this.#lost;
      this.#starts += 1;
      if (this.#starts > mostStarts)
        throw new DriverDied(...this.#who, {
          says: `it crashed ${mostStarts} times and was not restarted`,
          stderr: "",
        });
      this.#running = this.#start().then(
        (program) => {
          this.#current = program;
          return program;
        },
        (error: unknown) => {
          if (error instanceof DriverDied) this.#lost = error;
          throw error;
        },
      );
    }
    return this.#running;
  }

  async stop(): Promise<void> {
    const program = await this.#running?.catch(() => undefined);
    await program?.stop();
  }
}
