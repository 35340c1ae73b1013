/** As many events as may be said before the others have their turn: about a millisecond of work. */
const eventsPerTurn = 50;

/**
 * Skills that never wait for anything would keep the server to themselves. In one turn of the event loop all of them together say so many events, each as
 * many as the others: however many there are, whoever else wants something is served in between.
 */
export class EventTurns {
  #left = eventsPerTurn;
  #isTurning = false;
  readonly #waiting: { readonly events: number; readonly goOn: () => void }[] = [];

  /** A promise where it is others' turn: await it before the next event, or before what costs as much as so many of them. */
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
      // What was more than a turn is taken from the next.
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
