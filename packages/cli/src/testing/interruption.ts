import { exitCodes } from "../exit.ts";

/** Ctrl-C, as a test takes it: once to end it properly, twice to leave at once. */
export interface Interruption {
  readonly signal: AbortSignal;
  /** Lets go of the signals. */
  release(): void;
}

/**
 * @param onFirst says that the end has begun
 * @param onSecond leaves the terminal as it was found; the process ends after it
 */
export function interruptible(onFirst: () => void, onSecond: () => void): Interruption {
  const controller = new AbortController();
  const stop = (): void => {
    if (controller.signal.aborted) {
      onSecond();
      process.exit(exitCodes.interrupted);
    }
    controller.abort();
    onFirst();
  };
  const signals = ["SIGINT", "SIGTERM"] as const;
  for (const signal of signals) process.on(signal, stop);
  return {
    signal: controller.signal,
    release() {
      for (const signal of signals) process.off(signal, stop);
    },
  };
}
