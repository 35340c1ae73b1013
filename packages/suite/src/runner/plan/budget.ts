import { setImmediate as nextTurn } from "node:timers/promises";
import type { PeerInterface } from "@assay/wire";
import { type Obstacle, skipped } from "../../define/obstacle.ts";
import { interfaceKey } from "./grant.ts";

/** The messages that a run may send. */
export interface Allowance {
  /** the announced maximum */
  readonly messages: number;
  /** the part reserved for each observation, by the key of the observation on its interface */
  readonly kept?: ReadonlyMap<string, number>;
  /** the same for retries */
  readonly again?: ReadonlyMap<string, number>;
  /**
   * if no message is announced: the interfaces that may accept one malformed message before Assay stops sending them
   */
  readonly mayAccept?: readonly PeerInterface[];
  /** addresses that accepted a message before the plan was made, which counts */
  readonly acceptedAt?: readonly string[];
  /** messages sent before (default: those accepted so far) */
  readonly spent?: number;
  /** the flag that allows more */
  readonly more?: string | undefined;
}

/** A malformed message waits at most this many milliseconds for the next observation that ends. */
const returnMs = 60_000;

/**
 * Counts the messages of a run. Each observation keeps its reserved messages. Retries and accepted malformed messages
 * use the rest, so they never take reserved ones. When the rest is used up, malformed messages wait for the messages
 * that the observations in progress return at their end.
 */
export class Budget {
  readonly limit: number;
  /** the number of messages without retries and accepted malformed ones */
  readonly expected: number;
  readonly #kept: Map<string, number>;
  readonly #again: Map<string, number>;
  readonly #reserve: Purse;
  readonly #ofInterfaces: ReadonlyMap<string, Purse>;
  readonly #more: string | undefined;
  /** the observations in progress */
  readonly #making = new Set<string>();
  /** the observations that need another one to continue, once for each wait */
  readonly #stuck: (string | undefined)[] = [];
  readonly #onChange = new Set<() => void>();
  #tellDry: () => void = () => {};
  /** resolves when a malformed message has to wait for a returned message */
  readonly isDry = new Promise<void>((resolve) => {
    this.#tellDry = resolve;
  });
  #spent = 0;
  #accepted = 0;

  constructor({
    messages,
    kept = new Map(),
    again = new Map(),
    mayAccept = [],
    acceptedAt = [],
    spent,
    more,
  }: Allowance) {
    this.limit = messages;
    this.#kept = new Map(kept);
    this.#again = new Map(again);
    this.#spent = spent ?? acceptedAt.length;
    this.expected = [...this.#kept.values()].reduce((sum, each) => sum + each, this.#spent);
    const forAgain = [...this.#again.values()].reduce((sum, each) => sum + each, 0);
    this.#reserve = new Purse(Math.max(0, messages - this.expected - forAgain));
    const isSpent = (on: PeerInterface): boolean => on.binding === "JSONRPC" && acceptedAt.includes(on.url);
    this.#ofInterfaces = new Map(mayAccept.map((on) => [interfaceKey(on), new Purse(isSpent(on) ? 0 : 1)]));
    this.#more = more;
  }

  /** malformed messages that the agent accepted */
  get accepted(): number {
    return this.#accepted;
  }

  get spent(): number {
    return this.#spent;
  }

  /** Returns how many messages an observation may still send without taking the last one of the reserve. */
  keptFor(observation: string | undefined): number {
    const spare = Math.max(0, this.#reserve.left - 1);
    return countIn(this.#kept, observation) + countIn(this.#again, observation) + spare;
  }

  /**
   * Counts one message and returns a function that takes it back, for a message that the agent rejected unread. `now`
   * does not wait for lent messages.
   */
  async take(observation: string | undefined, now = false): Promise<() => void> {
    const own = [this.#kept, this.#again].find((each) => countIn(each, observation) > 0);
    if (own) own.set(observation!, countIn(own, observation) - 1);
    else if (!(await this.#reserve.take({ now }))) throw this.#nothingLeft();
    this.#spent += 1;
    return () => {
      this.#spent -= 1;
      if (own?.has(observation!)) own.set(observation!, countIn(own, observation) + 1);
      else this.#reserve.add(1);
    };
  }

  /** Passes the reserved messages of one observation to another that replaces it. */
  pass(from: string, to: string): void {
    const kept = countIn(this.#kept, from);
    if (kept === 0 || countIn(this.#kept, to) > 0) return;
    this.#kept.set(from, kept - 1);
    this.#kept.set(to, 1);
  }

  /** The observation begins. It may return messages at its end. */
  begin(observation: string): void {
    this.#making.add(observation);
  }

  /** Waits for something that only the end of another observation may cause. */
  async standBy<T>(observation: string | undefined, wait: () => Promise<T>): Promise<T> {
    this.#stuck.push(observation);
    this.#changed();
    try {
      return await wait();
    } finally {
      this.#stuck.splice(this.#stuck.indexOf(observation), 1);
    }
  }

  /** The observation has ended: its unused messages are free for all. */
  release(observation: string): void {
    this.#making.delete(observation);
    for (const own of [this.#kept, this.#again]) {
      this.#reserve.add(countIn(own, observation));
      own.delete(observation);
    }
    this.#changed();
  }

  /**
   * Sends a message that should be rejected, if a message is left in case the agent accepts it. An accepted one counts.
   */
  async attempt<T>(
    { on, by }: { readonly on: PeerInterface; readonly by: string | undefined },
    send: () => Promise<T>,
    isAccepted: (sent: T) => boolean,
  ): Promise<T> {
    const ofInterface = this.#ofInterfaces.get(interfaceKey(on));
    const purse = ofInterface ?? this.#reserve;
    const isLent =
      (await purse.take({ lent: 1 })) || (!ofInterface && (await this.standBy(by, () => this.#lentLater())));
    if (!isLent) throw this.#nothingLeft(ofInterface);
    return this.#lent(purse, send, isAccepted);
  }

  /** Lends a message that an observation returns. Returns false if no observation will return one. */
  async #lentLater(): Promise<boolean> {
    this.#tellDry();
    for (;;) {
      // An observation that ends lets others begin.
      await nextTurn();
      if (await this.#reserve.take({ lent: 1 })) return true;
      const isReserved = [this.#kept, this.#again].some((own) => [...own.values()].some((left) => left > 0));
      const isGoingOn = [...this.#making].some((each) => !this.#stuck.includes(each));
      if (!isReserved || !isGoingOn || !(await this.#change())) return false;
    }
  }

  /** Waits for the next change, and returns false if there is none. */
  async #change(): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (hasChanged: boolean): void => {
        clearTimeout(timer);
        this.#onChange.delete(tell);
        resolve(hasChanged);
      };
      const tell = (): void => settle(true);
      const timer = setTimeout(() => settle(false), returnMs);
      this.#onChange.add(tell);
    });
  }

  #changed(): void {
    for (const tell of [...this.#onChange]) tell();
  }

  /** Does the same without waiting for lent messages. Returns undefined if no message is left. */
  async attemptNow<T>(
    on: PeerInterface,
    send: () => Promise<T>,
    isAccepted: (sent: T) => boolean,
  ): Promise<T | undefined> {
    const purse = this.#ofInterfaces.get(interfaceKey(on)) ?? this.#reserve;
    return (await purse.take({ lent: 1, now: true })) ? this.#lent(purse, send, isAccepted) : undefined;
  }

  async #lent<T>(purse: Purse, send: () => Promise<T>, isAccepted: (sent: T) => boolean): Promise<T> {
    let accepted = false;
    try {
      const sent = await send();
      accepted = isAccepted(sent);
      if (accepted) {
        this.#spent += 1;
        this.#accepted += 1;
      }
      return sent;
    } finally {
      purse.settle(accepted ? 0 : 1);
    }
  }

  #nothingLeft(ofInterface?: Purse): Obstacle {
    const because = ofInterface
      ? "the agent accepted a malformed message over this interface, so Assay sends no more of them"
      : this.limit === 0
        ? "Assay may send no message, not even one that the agent should reject"
        : this.#spent >= this.limit
          ? `the limit of ${this.limit} messages was reached before it`
          : `the rest of the ${this.limit} messages was reserved for other rules`;
    return skipped("budget", because, this.#more);
  }
}

const countIn = (messages: ReadonlyMap<string, number>, observation: string | undefined): number =>
  (observation !== undefined && messages.get(observation)) || 0;

/** The available messages. Callers wait until it is known if a lent message comes back. */
class Purse {
  #left: number;
  #lent = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(left: number) {
    this.#left = left;
  }

  get left(): number {
    return this.#left;
  }

  /** Takes one message. Returns false if none is left and none will come back. */
  async take({ lent = 0, now = false } = {}): Promise<boolean> {
    while (!now && this.#left < 1 && this.#lent > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (this.#left < 1) return false;
    this.#left -= 1;
    this.#lent += lent;
    return true;
  }

  /** A lent message came back, or was used. */
  settle(back: 0 | 1): void {
    this.#lent -= 1;
    this.add(back);
  }

  add(messages: number): void {
    this.#left += messages;
    for (const goOn of this.#waiting.splice(0)) goOn();
  }
}
