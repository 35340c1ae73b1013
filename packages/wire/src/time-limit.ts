/**
 * Returns a signal that aborts after `ms`, for AbortSignal.any.
 *
 * AbortSignal.timeout does not work there: in Node 20, AbortSignal.any refers to it only weakly, so the next garbage
 * collection removes it and the time limit never ends. The timer here keeps its controller.
 */
export function timeLimit(ms: number): AbortSignal {
  const over = new AbortController();
  setTimeout(() => over.abort(new DOMException(`The time limit of ${ms} ms is over`, "TimeoutError")), ms).unref();
  return over.signal;
}
