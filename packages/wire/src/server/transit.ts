import { accountOf } from "./account.ts";
import type { ServerContext } from "./context.ts";
import { Holding, type Ledger } from "./ledger.ts";

/** Requests and answers up to this size are not worth counting: all connections together hold little of them. */
const freeBytes = 16 * 1024;

/** What one request has on its way in and out, on the account of its client. */
export class Transit {
  readonly #ledger: Ledger;
  readonly #large: ServerContext["large"];
  readonly #addressOf: () => string | undefined;
  #holding: Holding | undefined;
  #received = 0;

  constructor({ ledger, large }: Pick<ServerContext, "ledger" | "large">, addressOf: () => string | undefined) {
    this.#ledger = ledger;
    this.#large = large;
    this.#addressOf = addressOf;
  }

  /** So much more of the request has arrived. Throws BudgetExceeded when there is no room for it. */
  receive(bytes: number): void {
    const before = Math.max(this.#received, freeBytes);
    this.#received += bytes;
    if (this.#received > before) this.#charge(this.#received - before);
  }

  /** The request is a small one. */
  small(): void {
    this.#large.small();
  }

  /** Calls `go` when a request of this size may be worked on; what it returns gives up waiting. */
  enter(bytes: number, go: () => void): () => void {
    return this.#large.enter(accountOf(this.#addressOf() ?? ""), bytes, go);
  }

  /** So much is about to be sent at once. Throws BudgetExceeded when there is no room for it. */
  send(bytes: number): void {
    if (bytes > freeBytes) this.#charge(bytes);
  }

  /** For what is let go of before the request is over. */
  holding(): Holding {
    return new Holding(this.#ledger, accountOf(this.#addressOf() ?? ""));
  }

  /** The request is over. */
  release(): void {
    this.#holding?.release();
  }

  #charge(bytes: number): void {
    this.#holding ??= this.holding();
    this.#holding.charge(bytes);
  }
}
