import { randomUUID } from "node:crypto";
import { A2AError } from "@assay/protocol/core";

/** Which contexts a new task may begin in. */
export interface Contexts {
  /** The context that was asked for, or a new one. */
  enter(asked: string | undefined, scope: string): string;
}

/** Contexts of clients are welcome (§3.4.1 leaves it to the agent). */
export const anyContext: Contexts = { enter: (asked) => asked || randomUUID() };

const maxKnown = 10_000;

/** Only contexts that were given out here, as an agent may also have it; the oldest are forgotten. */
export class OwnContexts implements Contexts {
  readonly #known = new Set<string>();

  enter(asked: string | undefined, scope: string): string {
    if (asked && !this.#known.has(`${scope}\n${asked}`)) {
      throw new A2AError("InvalidParams", "This agent gives out its contexts itself, and did not give out this one", {
        violations: [{ path: "$.message.contextId", message: "leave it out to begin a new context" }],
      });
    }
    const context = asked || randomUUID();
    this.#known.add(`${scope}\n${context}`);
    if (this.#known.size > maxKnown) this.#known.delete(this.#known.values().next().value!);
    return context;
  }
}
