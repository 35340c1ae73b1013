import type { PeerInterface } from "@assay/wire";
import { type Obstacle, skipped } from "../../define/obstacle.ts";
import { interfaceKey } from "./grant.ts";

/** What a run may spend. */
export interface Allowance {
  /** the number of messages that is announced: no more are sent */
  readonly messages: number;
  /** of these, what is kept for each observation, by the key of the observation on its interface */
  readonly kept?: ReadonlyMap<string, number>;
  /** the same for trying again */
  readonly again?: ReadonlyMap<string, number>;
  /** where no message is announced: the interfaces that may accept a malformed one before no more are sent there */
  readonly mayAccept?: readonly PeerInterface[];
  /** addresses where a message was accepted before the plan was made: it counts like the others */
  readonly acceptedAt?: readonly string[];
  /** messages that were sent before; unless given, those that were accepted so */
  readonly spent?: number;
  /** the flag that allows more */
  readonly more?: string | undefined;
}

/**
 * The messages of a run: how many may be sent, and how many were. What an observation was granted is kept for it, so
 * that neither retries nor malformed messages that the agent accepts cost others theirs: they are paid from what is left.
 */
export class Budget {
  readonly limit: number;
  /** what will be sent if nothing has to be repeated, and nothing malformed is accepted */
  readonly expected: number;
  readonly #kept: Map<string, number>;
  readonly #again: Map<string, number>;
  readonly #reserve: Purse;
  readonly #ofInterfaces: ReadonlyMap<string, Purse>;
  readonly #more: string | undefined;
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

  /** malformed messages that the agent took for good */
  get accepted(): number {
    return this.#accepted;
  }

  get spent(): number {
    return this.#spent;
  }

  /** What an observation may still send without taking the last message of the reserve from others. */
  keptFor(observation: string | undefined): number {
    const spare = Math.max(0, this.#reserve.left - 1);
    return countIn(this.#kept, observation) + countIn(this.#again, observation) + spare;
  }

  /**
   * Counts one; what it returns takes that back, where the agent turned the message away unread. `now`: without waiting for
   * those that are lent.
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

  /** What is kept for one observation is for another, for which nothing is: that is made in its place. */
  pass(from: string, to: string): void {
    const kept = countIn(this.#kept, from);
    if (kept === 0 || countIn(this.#kept, to) > 0) return;
    this.#kept.set(from, kept - 1);
    this.#kept.set(to, 1);
  }

  /** An observation is over: what it did not need is for all. */
  release(observation: string): void {
    for (const own of [this.#kept, this.#again]) {
      this.#reserve.add(countIn(own, observation));
      own.delete(observation);
    }
  }

  /** Sends what is to be refused while there is a message left in case it is accepted: then it counts. */
  async attempt<T>(on: PeerInterface, send: () => Promise<T>, isAccepted: (sent: T) => boolean): Promise<T> {
    const ofInterface = this.#ofInterfaces.get(interfaceKey(on));
    const purse = ofInterface ?? this.#reserve;
    if (!(await purse.take({ lent: 1 }))) throw this.#nothingLeft(ofInterface);
    return this.#lent(purse, send, isAccepted);
  }

  /** The same without waiting for those that are lent; undefined where none is left. */
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
      ? "the agent accepted a malformed message over this interface, so no more of them are sent"
      : this.limit === 0
        ? "no message may be sent, not even one that the agent should refuse"
        : `none of the ${this.limit} announced messages was left for it`;
    return skipped("budget", because, this.#more);
  }
}

const countIn = (messages: ReadonlyMap<string, number>, observation: string | undefined): number =>
  (observation !== undefined && messages.get(observation)) || 0;

/** Messages that may be sent. Until it is known whether one that is lent comes back, those who need one wait for it. */
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

  /** Takes one; false where none is left, and none will come back. */
  async take({ lent = 0, now = false } = {}): Promise<boolean> {
    while (!now && this.#left < 1 && this.#lent > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (this.#left < 1) return false;
    this.#left -= 1;
    this.#lent += lent;
    return true;
  }

  /** One that was lent is back, or is spent. */
  settle(back: 0 | 1): void {
    this.#lent -= 1;
    this.add(back);
  }

  add(messages: number): void {
    this.#left += messages;
    for (const goOn of this.#waiting.splice(0)) goOn();
  }
}
