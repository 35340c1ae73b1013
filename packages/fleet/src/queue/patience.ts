import { setTimeout as pause } from "node:timers/promises";
import { DatabaseUnavailable } from "@assay/storage";

/** The code of an answer of PostgreSQL: five signs, a digit among them; EPIPE is none. */
const answer = /^(?=.*\d)[0-9A-Z]{5}$/;
/** Those of a connection, of a server that is starting or stopping, of too little room and of a conflict pass. */
const passingAnswer = /^(08|53|57P|40)/;

/** Tells if a failed call may succeed later. An error without a code from the server is a connection error. */
const passes = (error: unknown): boolean => {
  const { code } = error as { code?: unknown };
  return typeof code !== "string" || !answer.test(code) || passingAnswer.test(code);
};

/** The same for our own database, where an error may also be a bug: that one is not repeated for ever. */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  const { code } = error as { code?: unknown };
  if (typeof code === "string") return answer.test(code) ? passingAnswer.test(code) : /^E[A-Z]+$/.test(code);
  // The library has no code, and no class, for a connection that was cut or could not be had in time.
  return (error as Error).constructor === Error || error instanceof AggregateError;
}

export interface Patience {
  readonly signal: AbortSignal;
  readonly trouble: (error: Error) => void;
  /** what is worth another try (default: all but a final answer of the server) */
  readonly passes?: (error: unknown) => boolean;
}

/** Does what may be done twice, again and again while the server is away; gives up when told to. */
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

/** How long to wait before the server is tried for the nth time: twice as long each time, and never quite as long as the others wait. */
export const reconnectPause = (times: number, random: () => number = Math.random): number =>
  Math.round(Math.min(mostMs, firstMs * 2 ** Math.min(times - 1, 10)) * (0.5 + random() / 2));
