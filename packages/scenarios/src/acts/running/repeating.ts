import type { Repeat } from "../model.ts";

/** Returns the milliseconds to wait after an attempt. */
export function pauseAfter(attempt: number, { delayMs, backoff }: Pick<Repeat, "delayMs" | "backoff">): number {
  switch (backoff) {
    case "none":
      return delayMs;
    case "linear":
      return delayMs * attempt;
    case "exponential":
      return delayMs * 2 ** (attempt - 1);
  }
}
