/** Resets allowed at once, and additionally per second. Above that, the connection is closed. */
const atOnce = 500;
const perSecond = 50;
/**
 * Time without new connections after that. A new connection is cheap for a client, and its data is read before it can
 * be judged.
 */
const closedMs = 1_000;

interface Account {
  left: number;
  at: number;
  closedUntil: number;
}

/**
 * Limits calls that clients reset right after starting them (CVE-2023-44487). Each costs the client a few bytes and the
 * server a call, and no limit of concurrent calls applies. They are counted per caller.
 */
export class ResetBudget {
  readonly #accounts = new Map<string, Account>();

  /** Counts a reset. Returns false if there were too many. */
  spend(name: string, now = performance.now()): boolean {
    const account = this.#accounts.get(name) ?? { left: atOnce, at: now, closedUntil: 0 };
    account.left = Math.max(0, refilled(account, now) - 1);
    account.at = now;
    if (account.left < 1) account.closedUntil = now + closedMs;
    this.#accounts.set(name, account);
    if (this.#accounts.size > mostAccounts) this.#forgetFull(now);
    return account.left >= 1;
  }

  /** Returns true if a caller may open another connection. */
  admits(name: string, now = performance.now()): boolean {
    return now >= (this.#accounts.get(name)?.closedUntil ?? 0);
  }

  /** Accounts with a full budget need not be remembered. */
  #forgetFull(now: number): void {
    for (const [name, account] of this.#accounts) if (refilled(account, now) >= atOnce) this.#accounts.delete(name);
  }
}

const mostAccounts = 10_000;

const refilled = ({ left, at }: Account, now: number): number =>
  Math.min(atOnce, left + ((now - at) / 1_000) * perSecond);
