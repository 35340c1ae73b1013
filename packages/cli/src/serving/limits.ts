import type { TestbedOptions } from "@assay/agents";
import type { ServeSettings } from "./settings.ts";

const MiB = 1024 * 1024;

/** What one caller may have of the test bed, and how far it goes to deliver notifications. */
export const limitsFrom = (settings: ServeSettings) =>
  ({
    quotas: {
      requestsPerSecond: settings.maxRequests,
      burst: settings.maxBurst,
      streams: settings.maxStreams,
      openTasks: settings.maxOpenTasks,
      historyMessages: settings.maxHistory,
      artifactBytes: settings.maxArtifact === undefined ? undefined : settings.maxArtifact * MiB,
      webhooksPerTask: settings.maxWebhooks,
    },
    limits: { bodyBytes: settings.maxMessage * MiB },
    retries: { attempts: settings.pushAttempts, withinMs: settings.pushGiveUp * 1_000 },
    deadLetters: settings.keepDeadLetters,
  }) satisfies Partial<TestbedOptions>;

/** What is kept of the tasks of one caller, where that is less than what is kept of all. */
export const keptOfCaller = ({ keepCallerTasks, keepCallerSize, keepTasks, keepSize }: ServeSettings) =>
  keepCallerTasks === undefined && keepCallerSize === undefined
    ? {}
    : { caller: { tasks: keepCallerTasks ?? keepTasks, bytes: (keepCallerSize ?? keepSize) * MiB } };
