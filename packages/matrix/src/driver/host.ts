import type { DriverRole } from "../document/document.ts";
import { DriverDied } from "./client-driver.ts";

interface Running {
  readonly isDead: boolean;
  stop(): Promise<void>;
}

/** So often a program is started anew before it is given up. */
const mostStarts = 8;

/** Keeps a program of a driver running: starts it when it is first needed, and anew when it died. */
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

  /** The program; rejects with DriverDied where it cannot be had (any more). */
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
