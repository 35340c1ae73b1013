import { setTimeout as pause } from "node:timers/promises";
import { reconnectPause } from "./backoff.ts";

/**
 * An error that PostgreSQL answered with has the five letters of its class: those of a connection, of a server that is starting or
 * stopping, of too little room and of a conflict pass. One without such letters is of the way to the server.
 */
const passes = (error: unknown): boolean => {
  const { code } = error as { code?: unknown };
  const isAnswer = typeof code === "string" && /^[0-9A-Z]{5}$/.test(code);
  return !isAnswer || /^(08|53|57P|40)/.test(code);
};

/** Does what may be done twice, again and again while the server is away; gives up when told to. */
export async function patiently<T>(
  work: () => Promise<T>,
  { signal, trouble }: { readonly signal: AbortSignal; readonly trouble: (error: Error) => void },
): Promise<T> {
  for (let times = 1; ; times++) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || !passes(error)) throw error;
      trouble(error as Error);
    }
    await pause(reconnectPause(times), undefined, { signal });
  }
}
