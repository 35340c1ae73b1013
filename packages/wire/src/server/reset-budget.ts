/** So many calls may be reset at once, and so many more in every second; who resets more loses the connection. */
const atOnce = 500;
const perSecond = 50;
/** Who has lost a connection gets no other for so long: a new one costs a client little, and what it brings is read before it can be judged. */
const closedMs = 1_000;

interface Account {
  left: number;
  at: number;
  closedUntil: number;
}

/**
 * Calls that are reset by their clients as soon as they are begun (CVE-2023-44487): each costs the client a few bytes and the server a call, and no
 * limit of calls at a time bounds them. They are counted by caller.
 */
export class ResetBudget {
  readonly #accounts = new Map<string, Account>();

  /** A call was reset; false when there were too many. */
  spend(name: string, now = performance.now()): boolean {
    const account = this.#accounts.get(name) ?? { left: atOnce, at: now, closedUntil: 0 };
    account.left = Math.max(0, refilled(account, now) - 1);
    account.at = now;
    if (account.left < 1) account.closedUntil = now + closedMs;
    this.#accounts.set(name, account);
    if (this.#accounts.size > mostAccounts) this.#forgetFull(now);
    return account.left >= 1;
  }

  /** Whether a caller may have another connection. */
  admits(name: string, now = performance.now()): boolean {
    return now >= (this.#accounts.get(name)?.closedUntil ?? 0);
  }

  /** Those who have all they may have need not be remembered. */
  #forgetFull(now: number): void {
    for (const [name, account] of this.#accounts) if (refilled(account, now) >= atOnce) this.#accounts.delete(name);
  }
}

const mostAccounts = 10_000;

const refilled = ({ left, at }: Account, now: number): number =>
  Math.min(atOnce, left + ((now - at) / 1_000) * perSecond);
