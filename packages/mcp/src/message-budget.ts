import { ArgumentError } from "./argument-error.ts";
import type { McpOperator } from "./operator.ts";

/** The messages that one call may send. */
export interface Reservation {
  readonly messages: number;
  /** Gives unsent messages back to the budget. */
  settle(sent: number): void;
}

/**
 * Counts the messages of all calls. A call reserves before it sends, so that calls at the same time cannot exceed the
 * total.
 */
export class MessageBudget {
  readonly #perCall: number;
  readonly #total: number;
  #left: number;

  constructor({ callBudget, totalBudget }: Pick<McpOperator, "callBudget" | "totalBudget">) {
    this.#perCall = callBudget;
    this.#total = totalBudget;
    this.#left = totalBudget;
  }

  get left(): number {
    return this.#left;
  }

  /** Reserves the wanted number, or as many as the operator allows. */
  reserve(wanted = this.#perCall): Reservation {
    const messages = Math.min(wanted, this.#perCall, Math.max(0, this.#left));
    if (wanted > 0 && messages === 0)
      throw new ArgumentError(
        `The message budget of this session is used up (${this.#total} messages).`,
        "Ask the operator to restart assay mcp, or to raise --total-budget. depth: card sends no messages.",
      );
    this.#left -= messages;
    return {
      messages,
      settle: (sent) => {
        this.#left += messages - sent;
      },
    };
  }
}
