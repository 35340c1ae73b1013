import { CallerFull, StoreFull } from "../store.ts";
import type { CallerCounts } from "./callers.ts";
import type { Held, Retention, StoreUpkeep } from "./upkeep.ts";

interface StoreRoomOptions {
  readonly retention: Retention;
  /** maximum number of open tasks of one caller */
  readonly openTasks?: number;
}

/** Manages the space of a store: expired tasks make room for new ones. */
export class StoreRoom {
  readonly #options: StoreRoomOptions;
  readonly #callers: CallerCounts;
  readonly #upkeep: StoreUpkeep;
  #tidying: Promise<void> | undefined;
  /** number and size of tasks, recently counted */
  #held: Held = { tasks: 0, bytes: 0 };

  constructor(options: StoreRoomOptions, callers: CallerCounts, upkeep: StoreUpkeep) {
    this.#options = options;
    this.#callers = callers;
    this.#upkeep = upkeep;
  }

  /** number of tasks, recently counted */
  get size(): number {
    return this.#held.tasks;
  }

  /** Counts one more task. */
  add(bytes: number): void {
    this.#held = { tasks: this.#held.tasks + 1, bytes: this.#held.bytes + bytes };
  }

  /** Makes room for one more task of a caller; throws if there is none. */
  async make(accountKey: string): Promise<void> {
    await this.#makeFor(accountKey);
    if (this.#isFull()) await this.#makeRoom();
  }

  /** Deletes expired tasks, and keeps a part of the space free on request. */
  async tidy(free = 0): Promise<void> {
    const { tasks, bytes, ...rest } = this.#options.retention;
    const keep = (most: number): number => most - Math.ceil(most * free);
    this.#held = await this.#upkeep.forgetOld({ tasks: keep(tasks), bytes: keep(bytes), ...rest });
  }

  /** Makes room among the caller's own tasks: ended ones are deleted, open ones are not. */
  async #makeFor(accountKey: string): Promise<void> {
    const { openTasks = Number.POSITIVE_INFINITY, retention } = this.#options;
    const { caller } = retention;
    if (openTasks === Number.POSITIVE_INFINITY && !caller) return;
    const held = await this.#callers.of(accountKey);
    if (held.open >= openTasks)
      throw new CallerFull(`${openTasks} tasks of this caller are open, which is the maximum`);
    if (!caller || (held.tasks < caller.tasks && held.bytes < caller.bytes)) return;
    const left = await this.#upkeep.forgetOldOf(accountKey, { tasks: caller.tasks - 1, bytes: caller.bytes - 1 });
    if (left.tasks >= caller.tasks || left.bytes >= caller.bytes)
      throw new CallerFull("The open tasks of this caller use all of its space");
  }

  #isFull(): boolean {
    const { tasks, bytes } = this.#options.retention;
    return this.#held.tasks >= tasks || this.#held.bytes >= bytes;
  }

  /**
   * Makes room for several tasks at once, so that the next ones need not check. Open tasks are never deleted
   * for new ones.
   */
  async #makeRoom(): Promise<void> {
    this.#tidying ??= this.tidy(0.01).finally(() => {
      this.#tidying = undefined;
    });
    await this.#tidying;
    if (this.#isFull()) throw new StoreFull("open tasks use all the space");
  }
}
