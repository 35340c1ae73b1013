import type { TestbedOptions } from "@assay/agents";
import type { ServeSettings } from "./settings.ts";

/** What one caller may have of the test bed, and how far it goes to deliver notifications. */
export const limitsFrom = (settings: ServeSettings) =>
  ({
    retries: { attempts: settings.pushAttempts, withinMs: settings.pushGiveUp * 1_000 },
    deadLetters: settings.keepDeadLetters,
  }) satisfies Partial<TestbedOptions>;
