import type { StreamResponse } from "@assay/protocol";

/** Resolves when the client is gone. */
export const gone = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve());
  });

/** A stream that closes without an event. */
export async function* nothing(): AsyncGenerator<StreamResponse> {}

/** A stream without an event that stays open until the client is gone. */
// biome-ignore lint/correctness/useYield: saying nothing is the point
export async function* silence(signal: AbortSignal): AsyncGenerator<StreamResponse> {
  await gone(signal);
}
