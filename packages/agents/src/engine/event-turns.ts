/** Number of events before other work gets a turn: about a millisecond of work. */
const eventsPerTurn = 50;

/**
 * Keeps skills that never wait from blocking the server. In one turn of the event loop, all of them together
 * emit a limited number of events, in equal shares. Other requests are served in between.
 */
export class EventTurns {
  #left = eventsPerTurn;
  #isTurning = false;
  readonly #waiting: { readonly events: number; readonly goOn: () => void }[] = [];

  /**
   * Returns a promise if other work has its turn: await it before the next event, or before work that costs
   * as much.
   */
  take(events = 1): Promise<void> | undefined {
    this.#turn();
    if (this.#left > 0 && this.#waiting.length === 0) {
      this.#left -= events;
      return undefined;
    }
    return new Promise((goOn) => this.#waiting.push({ events, goOn }));
  }

  #turn(): void {
    if (this.#isTurning) return;
    this.#isTurning = true;
    setImmediate(() => {
      this.#isTurning = false;
      // Work beyond one turn is deducted from the next.
      this.#left = Math.min(0, this.#left) + eventsPerTurn;
      while (this.#left > 0 && this.#waiting.length > 0) {
        const { events, goOn } = this.#waiting.shift()!;
        this.#left -= events;
        goOn();
      }
      if (this.#waiting.length > 0 || this.#left < 0) this.#turn();
    });
  }
}
