import type { Message, Task } from "@assay/protocol";

const maxKnown = 10_000;

/**
 * The message that began what a task does now, and so chose its skill. That is the first of its history, unless the
 * task had ended and was begun again: which message did that is remembered here, the oldest are forgotten.
 */
export class Beginnings {
  readonly #again = new Map<string, string>();

  begunAgain(scope: string, { id }: Task, { messageId }: Message): void {
    const key = `${scope}\n${id}`;
    this.#again.delete(key);
    this.#again.set(key, messageId);
    if (this.#again.size > maxKnown) this.#again.delete(this.#again.keys().next().value!);
  }

  of(scope: string, { id, history = [] }: Task): Message | undefined {
    const again = this.#again.get(`${scope}\n${id}`);
    return history.find(({ messageId }) => messageId === again) ?? history[0];
  }
}
