import { setTimeout as pause } from "node:timers/promises";
import { conversations, WrongAnswer } from "./conversations.ts";
import type { Findings } from "./findings.ts";
import type { Clients } from "./load-client.ts";

/**
 * Starts conversations at a fixed rate, even if earlier ones are still running, so that a slow server gets no relief.
 * Returns the number of conversations after the last one has ended.
 */
export async function keepConversing(
  clients: Clients,
  perSecond: number,
  webhook: string,
  findings: Findings,
  enough: AbortSignal,
): Promise<number> {
  const kinds = Object.entries(conversations);
  const under = new Set<Promise<void>>();
  const began = performance.now();
  let number = 0;
  for (; !enough.aborted; number++) {
    const [name, converse] = kinds[number % kinds.length]!;
    // Change the client with each turn, so that each kind of conversation uses each binding.
    const client = clients.at(number + Math.floor(number / kinds.length));
    const work = converse(client, webhook)
      .catch((error: unknown) =>
        findings.add({ kind: error instanceof WrongAnswer ? "wrong" : "error", what: `${name}: ${String(error)}` }),
      )
      .finally(() => under.delete(work));
    under.add(work);
    const due = began + ((number + 1) * 1_000) / perSecond;
    await pause(Math.max(0, due - performance.now()), undefined, { signal: enough }).catch(() => {});
  }
  await Promise.all(under);
  return number;
}
