import { accountOf } from "./account.ts";
import type { ServerContext } from "./context.ts";
import { Holding, type Ledger } from "./ledger.ts";

/** Smaller requests and responses are not counted: all connections together hold little of them. */
const freeBytes = 16 * 1024;

/** The bytes of one request and its response in transit, on the account of its client. */
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

  /** Counts received bytes. Throws BudgetExceeded if there is no room. */
  receive(bytes: number): void {
    const before = Math.max(this.#received, freeBytes);
    this.#received += bytes;
    if (this.#received > before) this.#charge(this.#received - before);
  }

  /** Marks the request as small. */
  small(): void {
    this.#large.small();
  }

  /** Calls `go` when a request of this size may be processed. Returns a function that stops waiting. */
  enter(bytes: number, go: () => void): () => void {
    return this.#large.enter(accountOf(this.#addressOf() ?? ""), bytes, go);
  }

  /** Counts bytes to be sent at once. Throws BudgetExceeded if there is no room. */
  send(bytes: number): void {
    if (bytes > freeBytes) this.#charge(bytes);
  }

  /** For data that is released before the request is over. */
  holding(): Holding {
    return new Holding(this.#ledger, accountOf(this.#addressOf() ?? ""));
  }

  /** Releases everything when the request is over. */
  release(): void {
    this.#holding?.release();
  }

  #charge(bytes: number): void {
    this.#holding ??= this.holding();
    this.#holding.charge(bytes);
  }
}
