import { WireError } from "./wire-error.ts";

/** Bytes that a server may hold for its clients. */
export interface Budgets {
  /** for all callers together */
  readonly total: number;
  /** for one caller */
  readonly caller: number;
}

const MiB = 1024 * 1024;

/** Fits half a gigabyte of heap, with work in progress and uncollected garbage. */
export const defaultBudgets: Budgets = { total: 192 * MiB, caller: 96 * MiB };

/** This part of the total is reserved for callers that hold little, so that large holders cannot lock them out. */
const reserve = 1 / 4;
/** "Little" is this part of one caller's budget. */
const little = 1 / 16;

/** There is no room for more data of a client. */
export class BudgetExceeded extends WireError {
  constructor(code: "caller-budget" | "total-budget", budgets: Budgets) {
    super(
      code,
      code === "caller-budget"
        ? `the limit of ${inMiB(budgets.caller)} per caller is reached: end open tasks, or retry later`
        : `the limit of ${inMiB(budgets.total)} for all callers is reached: retry later`,
    );
  }
}

/**
 * Counts the bytes held for clients, per caller. Data is charged before it is held and released afterwards. Before a
 * charge is rejected, unneeded data is dropped: the caller's own, or that of the largest holders if the total is
 * exceeded.
 */
export class Ledger {
  readonly #budgets: Budgets;
  readonly #accounts = new Map<string, number>();
  #total = 0;
  #letGo: (account: string) => boolean = () => false;

  constructor(budgets: Partial<Budgets> = {}) {
    this.#budgets = { ...defaultBudgets, ...budgets };
  }

  get total(): number {
    return this.#total;
  }

  /** Returns the bytes held for one caller. */
  of(account: string): number {
    return this.#accounts.get(account) ?? 0;
  }

  /** `letGo` drops something unneeded of this account, and returns false if there is nothing. */
  reclaims(letGo: (account: string) => boolean): void {
    this.#letGo = letGo;
  }

  /** Throws BudgetExceeded and charges nothing if there is no room. */
  charge(account: string, bytes: number): void {
    const { caller, total } = this.#budgets;
    const held = this.of(account) + bytes;
    // Mostly there is room: no closure is made for it.
    if (held <= caller && this.#total + bytes <= total * (1 - reserve)) {
      this.#accounts.set(account, held);
      this.#total += bytes;
      return;
    }
    const isOver = () => this.of(account) + bytes > caller;
    // A charge that can never fit should not drop anything.
    if (bytes > caller) throw new BudgetExceeded("caller-budget", this.#budgets);
    while (isOver() && this.#letGo(account));
    if (isOver()) throw new BudgetExceeded("caller-budget", this.#budgets);
    this.#makeRoom(this.of(account) + bytes <= caller * little, bytes);
    this.add(account, bytes);
  }

  /** Charges data that must be held even without room. */
  add(account: string, bytes: number): void {
    this.#accounts.set(account, this.of(account) + bytes);
    this.#total += bytes;
  }

  release(account: string, bytes: number): void {
    const left = this.of(account) - bytes;
    if (left > 0) this.#accounts.set(account, left);
    else this.#accounts.delete(account);
    this.#total -= bytes;
  }

  #makeRoom(isLittle: boolean, bytes: number): void {
    const { total, caller } = this.#budgets;
    const limit = isLittle ? total : total * (1 - reserve);
    const isOver = () => this.#total + bytes > limit;
    if (!isOver()) return;
    for (const [account, held] of [...this.#accounts].sort(([, a], [, b]) => b - a)) {
      // Small holders drop nothing for large ones.
      if (!isLittle && held <= caller * little) break;
      while (isOver() && this.#letGo(account));
      if (!isOver()) return;
    }
    throw new BudgetExceeded("total-budget", this.#budgets);
  }
}

/** The cost of one item: several callers may have added to it, and it is released as a whole. */
export class Holding {
  readonly #ledger: Ledger;
  readonly #account: string;
  #bytes = 0;
  /** bytes added by other callers */
  #others: Map<string, number> | undefined;

  constructor(ledger: Ledger, account: string) {
    this.#ledger = ledger;
    this.#account = account;
  }

  /** the owner */
  get account(): string {
    return this.#account;
  }

  /** Throws BudgetExceeded if there is no room. */
  charge(bytes: number, account = this.#account): void {
    this.#ledger.charge(account, bytes);
    this.#note(bytes, account);
  }

  /** Charges data that must be held even without room. */
  add(bytes: number, account = this.#account): void {
    this.#ledger.add(account, bytes);
    this.#note(bytes, account);
  }

  release(): void {
    this.#ledger.release(this.#account, this.#bytes);
    for (const [account, bytes] of this.#others ?? []) this.#ledger.release(account, bytes);
    this.#bytes = 0;
    this.#others = undefined;
  }

  #note(bytes: number, account: string): void {
    if (account === this.#account) this.#bytes += bytes;
    else {
      this.#others ??= new Map();
      this.#others.set(account, (this.#others.get(account) ?? 0) + bytes);
    }
  }
}

const inMiB = (bytes: number): string => (bytes < MiB ? `${bytes} bytes` : `${Math.floor(bytes / MiB)} MiB`);
