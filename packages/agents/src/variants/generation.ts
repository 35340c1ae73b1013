import { setTimeout as delay } from "node:timers/promises";
import { type Divergence, spec, spec11 } from "../definition/divergence.ts";
import { intercept } from "../mutation/operations.ts";

/** Longer than Assay waits for a request that the agent may hold. */
const holdMs = 8_000;

/** Variants of the draft of 1.1. */
export const generationVariants: readonly Divergence[] = [
  // An agent may be newer than its clients: 1.0 ignores unknown members.
  spec(
    "counts-for-all",
    "Tasks and events have a generation, although the card declares no version above 1.0.",
    {},
    { habits: { generation: true } },
  ),

  // The draft: the agent may return earlier.
  spec11("never-waits", "GetTask ignores currentGeneration.", {
    operations: intercept(["GetTask"], ({ request: { currentGeneration: _known, ...request }, proceed }) =>
      proceed(request),
    ),
  }),

  // The draft names no limit, and no exception for ended tasks.
  spec11("waits-for-ended", "GetTask with the current generation waits although the task has ended.", {
    operations: intercept(["GetTask"], async ({ request, proceed, invocation }) => {
      const outcome = await proceed();
      const { generation } = outcome.answer as { generation: string };
      const isWaiting = BigInt(request.currentGeneration ?? -1) >= BigInt(generation);
      if (isWaiting) await delay(holdMs, undefined, { signal: invocation.client.signal }).catch(() => {});
      return outcome;
    }),
  }),
];
