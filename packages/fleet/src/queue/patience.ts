import { setTimeout as pause } from "node:timers/promises";
import { DatabaseUnavailable } from "@assay/storage";

/** Matches a PostgreSQL error code: five characters with a digit, unlike EPIPE. */
const answer = /^(?=.*\d)[0-9A-Z]{5}$/;
/** Codes of temporary errors: connection, server start or stop, insufficient resources, conflict. */
const passingAnswer = /^(08|53|57P|40)/;

/** Returns true if a failed call may succeed later. An error without a code from the server is a connection error. */
const passes = (error: unknown): boolean => {
  const { code } = error as { code?: unknown };
  return typeof code !== "string" || !answer.test(code) || passingAnswer.test(code);
};

/** Returns true if our own database is unreachable. Other errors may be bugs, which must not be retried forever. */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  const { code } = error as { code?: unknown };
  if (typeof code === "string") return answer.test(code) ? passingAnswer.test(code) : /^E[A-Z]+$/.test(code);
  // The library has no code and no class for a connection that broke or timed out.
  return (error as Error).constructor === Error || error instanceof AggregateError;
}

export interface Patience {
  readonly signal: AbortSignal;
  readonly trouble: (error: Error) => void;
  /** returns true for errors worth a retry (default: all but a final error of the server) */
  readonly passes?: (error: unknown) => boolean;
}

/** Repeats a call that may be repeated while the server is unreachable, until the signal aborts. */
export async function patiently<T>(work: () => Promise<T>, { signal, trouble, ...more }: Patience): Promise<T> {
  const isPassing = more.passes ?? passes;
  for (let times = 1; ; times++) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || !isPassing(error)) throw error;
      trouble(error as Error);
    }
    await pause(reconnectPause(times), undefined, { signal });
  }
}

const firstMs = 100;
const mostMs = 10_000;

/**
 * Returns the delay before the nth attempt. It doubles each time, with a random part so that workers do not reconnect
 * together.
 */
export const reconnectPause = (times: number, random: () => number = Math.random): number =>
  Math.round(Math.min(mostMs, firstMs * 2 ** Math.min(times - 1, 10)) * (0.5 + random() / 2));
