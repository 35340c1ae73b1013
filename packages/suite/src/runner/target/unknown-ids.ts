import { randomUUID } from "node:crypto";
import { tasksIn } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";

/** Makes ids that look like the agent's ids and that the agent never issued. */
export class UnknownIds {
  #sample: string | undefined;

  /** Learns the form of the agent's task ids. */
  learn(call: Call): void {
    if (call.operation !== undefined) this.#sample ??= tasksIn(call)[0]?.id;
  }

  next(): string {
    return idLike(this.#sample);
  }
}

/** Returns an id of the same length and alphabet as a known one, or a UUID. */
function idLike(sample: string | undefined): string {
  if (sample === undefined || sample.length < 12) return randomUUID();
  const pool = randomUUID().replaceAll("-", "") + randomUUID().replaceAll("-", "");
  let used = 0;
  return [...sample]
    .map((character) => {
      const fresh = pool[used++ % pool.length]!;
      if (/\d/.test(character)) return String(Number.parseInt(fresh, 16) % 10);
      if (/[a-f]/.test(character)) return "abcdef"[Number.parseInt(fresh, 16) % 6]!;
      if (/[g-z]/.test(character)) return "ghijklmnopqrstuvwxyz"[Number.parseInt(fresh, 16)]!;
      if (/[A-F]/.test(character)) return "ABCDEF"[Number.parseInt(fresh, 16) % 6]!;
      if (/[G-Z]/.test(character)) return "GHIJKLMNOPQRSTUVWXYZ"[Number.parseInt(fresh, 16)]!;
      return character;
    })
    .join("");
}
