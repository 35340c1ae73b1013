import { WireError } from "./wire-error.ts";

/** Bytes that a server may hold for its clients. */
export interface Budgets {
  /** for all callers together */
  readonly total: number;
  /** for one of them */
  readonly caller: number;
}

const MiB = 1024 * 1024;

/** Half a gigabyte of heap carries this, with what is under way and what waits for the collector. */
export const defaultBudgets: Budgets = { total: 192 * MiB, caller: 96 * MiB };

/** This part of the total is for callers that hold little: those who hold much cannot close the server for them. */
const reserve = 1 / 4;
/** Little is this part of what one caller may hold. */
const little = 1 / 16;

/** There is no room for what would have to be held for a client. */
export class BudgetExceeded extends WireError {
  constructor(code: "caller-budget" | "total-budget", budgets: Budgets) {
    super(
      code,
      code === "caller-budget"
        ? `no more than ${inMiB(budgets.caller)} are held for one caller: end tasks that are open, or try again later`
        : `no more than ${inMiB(budgets.total)} are held for all callers together: try again later`,
    );
  }
}

/**
 * What is held on behalf of clients, in bytes, each on the account of the caller that made us hold it. What will be
 * held is charged first, and released when it is let go. Before a charge is refused, those who keep what they need
 * not keep are asked to let go of it: of the caller's own, or, where it is the total, of those who hold most.
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

  /** What one caller holds. */
  of(account: string): number {
    return this.#accounts.get(account) ?? 0;
  }

  /** `letGo` lets go of something that need not be kept on this account; false when there is nothing. */
  reclaims(letGo: (account: string) => boolean): void {
    this.#letGo = letGo;
  }

  /** Throws BudgetExceeded, and charges nothing, where there is no room. */
  charge(account: string, bytes: number): void {
    const { caller } = this.#budgets;
    const isOver = () => this.of(account) + bytes > caller;
    // What can never fit is not worth letting go of anything.
    if (bytes > caller) throw new BudgetExceeded("caller-budget", this.#budgets);
    while (isOver() && this.#letGo(account));
    if (isOver()) throw new BudgetExceeded("caller-budget", this.#budgets);
    this.#makeRoom(this.of(account) + bytes <= caller * little, bytes);
    this.add(account, bytes);
  }

  /** Charges what has to be held whether there is room or not. */
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
      // Those who hold little give nothing up for those who hold much.
      if (!isLittle && held <= caller * little) break;
      while (isOver() && this.#letGo(account));
      if (!isOver()) return;
    }
    throw new BudgetExceeded("total-budget", this.#budgets);
  }
}

/** What one thing costs: several callers may have added to it, and it is let go of as a whole. */
export class Holding {
  readonly #ledger: Ledger;
  readonly #account: string;
  #bytes = 0;
  /** what others than the first have added */
  #others: Map<string, number> | undefined;

  constructor(ledger: Ledger, account: string) {
    this.#ledger = ledger;
    this.#account = account;
  }

  /** whose it is */
  get account(): string {
    return this.#account;
  }

  /** Throws BudgetExceeded where there is no room. */
  charge(bytes: number, account = this.#account): void {
    this.#ledger.charge(account, bytes);
    this.#note(bytes, account);
  }

  /** Charges what has to be held whether there is room or not. */
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
