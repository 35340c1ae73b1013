import { randomUUID } from "node:crypto";
import { A2AError } from "@assay/protocol/core";
import type { TaskStore } from "../store/store.ts";

/** Decides which contexts a new task may join. */
export interface Contexts {
  /** Returns the requested context, or a new one. */
  enter(asked: string | undefined, scope: string): string | Promise<string>;
}

/** Accepts contexts from clients (§3.4.1 leaves this to the agent). */
export const anyContext: Contexts = { enter: (asked) => asked || randomUUID() };

const maxKnown = 10_000;

/**
 * Accepts only contexts that this agent created and forgets the oldest. A context with a task counts as
 * created here, even before a restart.
 */
export class OwnContexts implements Contexts {
  readonly #known = new Set<string>();
  readonly #store: Pick<TaskStore, "list">;

  constructor(store: Pick<TaskStore, "list">) {
    this.#store = store;
  }

  enter(asked: string | undefined, scope: string): string | Promise<string> {
    if (!asked || this.#known.has(`${scope}\n${asked}`)) return this.#remember(asked || randomUUID(), scope);
    return this.#returnTo(asked, scope);
  }

  async #returnTo(asked: string, scope: string): Promise<string> {
    const { tasks } = await this.#store.list(scope, { contextId: asked }, 1);
    if (tasks.length === 0) {
      throw new A2AError("InvalidParams", "Unknown contextId: this agent accepts only contexts that it created", {
        violations: [{ path: "$.message.contextId", message: "omit it to start a new context" }],
      });
    }
    return this.#remember(asked, scope);
  }

  #remember(context: string, scope: string): string {
    this.#known.add(`${scope}\n${context}`);
    if (this.#known.size > maxKnown) this.#known.delete(this.#known.values().next().value!);
    return context;
  }
}
