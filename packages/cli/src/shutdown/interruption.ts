import { constants } from "node:os";
import type { Screen } from "../terminal/screen.ts";
import { onStopRequest, tellLauncher } from "./stop-requests.ts";

/** The default time in seconds for a command to clean up. Servers have more. */
const usualTimeout = 5;

interface Stopping {
  /** seconds for the cleanup: --shutdown-timeout */
  readonly timeout?: number | undefined;
  /** announces the start of the cleanup */
  readonly onStop?: (signal: NodeJS.Signals) => void;
  /** restores the terminal before the process exits */
  readonly onForced?: () => void;
  /** names the parts that are not cleaned up yet */
  readonly unfinished?: () => readonly string[];
}

/** The state of a shutdown by SIGINT or SIGTERM. */
export interface Interruption {
  /** aborts with the first signal */
  readonly signal: AbortSignal;
  /** Starts the same cleanup as the first signal, for a command that ends with its client. */
  stop(): void;
  /** Removes the signal handlers. Call it last: until then the deadline applies. */
  release(): void;
}

/** Starts a cleanup with a deadline on the first signal. A second signal, or the deadline, ends the process at once. */
export function interruptible(screen: Screen, stopping: Stopping): Interruption {
  const { timeout = usualTimeout, onStop, onForced, unfinished = () => [] } = stopping;
  const controller = new AbortController();
  let deadline: NodeJS.Timeout | undefined;
  const end = (signal: NodeJS.Signals): never => {
    onForced?.();
    process.exit(128 + constants.signals[signal]);
  };
  const isLate = (signal: NodeJS.Signals): void => {
    const left = unfinished();
    const what = left.length ? ` Not cleaned up: ${left.join("; ")}.` : "";
    screen.complain(`assay: the shutdown took longer than ${timeout} s (--shutdown-timeout).${what}`);
    end(signal);
  };
  const begin = (signal: NodeJS.Signals): void => {
    deadline = setTimeout(isLate, timeout * 1_000, signal);
    controller.abort();
    onStop?.(signal);
  };
  const ignore = onStopRequest((signal) => (controller.signal.aborted ? end(signal) : begin(signal)));
  tellLauncher(timeout);
  return {
    signal: controller.signal,
    stop() {
      if (!controller.signal.aborted) begin("SIGTERM");
    },
    release() {
      clearTimeout(deadline);
      ignore();
    },
  };
}
