/** Number of events before other work gets a turn: about a millisecond of work. */
const eventsPerTurn = 50;

/** Number of events that a skill emits in a row: its client gets them in one write. */
const eventsInARow = 32;

/**
 * Keeps skills that never wait from blocking the server. In one turn of the event loop, all of them together
 * emit a limited number of events, in equal shares. Other requests are served in between.
 */
export class EventTurns {
  #left = eventsPerTurn;
  #number = 1;
  #isTurning = false;
  /** skills that have emitted nothing yet */
  readonly #newcomers: Waiting[] = [];
  readonly #others: Waiting[] = [];
  #isForNewcomers = false;

  /** Returns the share of one skill. */
  join(): EventShare {
    return new EventShare(this);
  }

  /** For `EventShare.take`. */
  take(share: EventShare, events: number): Promise<void> | undefined {
    this.#turn();
    const isInARow = share.turn === this.#number && share.left > 0;
    if (!isInARow) {
      if (this.#left <= 0 || this.#isAwaited) return this.#wait(share, events);
      this.#grant(share);
    }
    this.#spend(share, events);
    return undefined;
  }

  get #isAwaited(): boolean {
    return this.#newcomers.length + this.#others.length > 0;
  }

  #wait(share: EventShare, events: number): Promise<void> {
    return new Promise((goOn) => {
      const queue = share.turn === 0 ? this.#newcomers : this.#others;
      queue.push({ share, events, goOn });
    });
  }

  #grant(share: EventShare): void {
    share.turn = this.#number;
    share.left = eventsInARow;
  }

  #spend(share: EventShare, events: number): void {
    share.left -= events;
    this.#left -= events;
  }

  #turn(): void {
    if (this.#isTurning) return;
    this.#isTurning = true;
    setImmediate(this.#begin);
  }

  readonly #begin = (): void => {
    this.#isTurning = false;
    this.#number++;
    // Work beyond one turn is deducted from the next.
    this.#left = Math.min(0, this.#left) + eventsPerTurn;
    this.#resume();
  };

  readonly #resume = (): void => {
    const next = this.#left > 0 ? this.#next() : undefined;
    if (next) {
      this.#grant(next.share);
      this.#spend(next.share, next.events);
      next.goOn();
      queueMicrotask(this.#resumeSoon);
    }
    if (this.#isAwaited || this.#left < 0) this.#turn();
  };

  /** Resumes the next skill after the current one has emitted its events, because only then their number is known. */
  readonly #resumeSoon = (): void => process.nextTick(this.#resume);

  /** Takes a new skill every other time, so that short skills rarely wait for skills with many events. */
  #next(): Waiting | undefined {
    this.#isForNewcomers = !this.#isForNewcomers;
    const [first, second] = this.#isForNewcomers ? [this.#newcomers, this.#others] : [this.#others, this.#newcomers];
    return first.shift() ?? second.shift();
  }
}

interface Waiting {
  readonly share: EventShare;
  readonly events: number;
  readonly goOn: () => void;
}

/** The share of one skill in the turns of the event loop. */
export class EventShare {
  readonly #turns: EventTurns;
  /** the last turn in which it emitted events; 0 before the first */
  turn = 0;
  /** events that it may still emit in a row in that turn */
  left = 0;

  constructor(turns: EventTurns) {
    this.#turns = turns;
  }

  /**
   * Returns a promise if other work has its turn: await it before the next event, or before work that costs
   * as much.
   */
  take(events = 1): Promise<void> | undefined {
    return this.#turns.take(this, events);
  }
}
