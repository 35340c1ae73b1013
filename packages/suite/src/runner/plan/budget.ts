import { skipped } from "../../obstacle.ts";

/** Working messages: how many may be sent, and how many were. */
export class Budget {
  readonly limit: number;
  #spent = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  get spent(): number {
    return this.#spent;
  }

  /** Counts one; throws when the announced number is used up. */
  take(): void {
    if (this.#spent >= this.limit) {
      throw skipped("budget", `all ${this.limit} announced messages were used up`, "--budget <n> or --depth full");
    }
    this.#spent += 1;
  }

  /** The agent turned it away unread. */
  giveBack(): void {
    this.#spent -= 1;
  }
}
