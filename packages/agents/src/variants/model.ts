import type { Clock } from "../definition/clock.ts";

/** How many messages may be with the model, or wait for it, before further ones are turned away. */
const patience = 3;

/** One message's place in front of the model. */
interface Place {
  /** Waits for those before, then for the thought; rejects with the signal's reason when it is aborted first. */
  think(ms: number, clock: Clock, signal: AbortSignal): Promise<void>;
  leave(): void;
}

/** What stands for a language model: it serves one message at a time, and a queue forms in front of it. */
export class Model {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** one more would only wait too long */
  get isPressed(): boolean {
    return this.#waiting >= patience;
  }

  enter(): Place {
    this.#waiting++;
    const before = this.#last;
    let leave = () => {};
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    this.#last = Promise.all([before, left]);
    return {
      async think(ms, clock, signal) {
        await Promise.race([before, aborted(signal)]);
        await clock.sleep(ms, signal);
      },
      leave: () => {
        this.#waiting--;
        leave();
      },
    };
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
