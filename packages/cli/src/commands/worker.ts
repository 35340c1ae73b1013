import { testOptions } from "@assay/suite/options";
import { atLeastOne, seconds } from "../flag-values.ts";
import { examinerFlags } from "../fleet/examiner-flags.ts";
import { declare, type FlagsOf, required } from "./command.ts";

const flags = [
  "Worker",
  [
    "--queue <address>",
    "queue of assay fleet: redis://…, rediss://… or postgres://…; use env:NAME or @file for an address with a password",
    String,
    required,
  ],
  [
    "--history <address>",
    "database for verdicts, the same for all workers: postgres://…, or sqlite:<file> on one machine; env:NAME or @file",
    String,
    required,
  ],
  ["--concurrency <n>", "agents to examine at a time", atLeastOne, 4],
  ["--name <name>", "name of this worker in verdicts (default: host and process id)"],
  ["--secrets <file>", "credentials of this worker, by name or address of an agent (YAML, docs/registries.md)"],
  ["--until-empty", "stop when no job waits, runs or is postponed"],
  [
    "--grace <seconds>",
    "after a signal to stop: time for running examinations before their jobs return to the queue",
    seconds,
    20,
  ],
  {
    shutdownTimeout: {
      ...testOptions.shutdownTimeout,
      means: "after a signal to stop: time after which the worker exits even if it is not done",
      default: "30, or more if --grace needs more",
    },
  },
  ["--lease <seconds>", "other workers take over the jobs of a worker that was silent for this long", seconds, 15],
  [
    "--json",
    "print one JSON line for each verdict, and one a minute about the worker (default: if stdout is not a terminal)",
  ],
  ...examinerFlags,
] as const;
export type WorkerFlags = FlagsOf<typeof flags>;

export const addWorker = declare({
  name: "worker",
  group: "many",
  does: "Examine the agents that assay fleet --queue hands out.",
  flags,
  examples: [
    ["assay worker --queue env:QUEUE --history env:HISTORY"],
    ["assay worker --queue env:QUEUE --history env:HISTORY --concurrency 32"],
    ["assay worker --queue env:QUEUE --history env:HISTORY --until-empty"],
  ],
  notes: [
    "Secrets: a worker uses a secret only if its operator lists it with the host that may receive it: --allow-secret, or --secrets with credentials for each agent. Assay does not examine an agent whose credentials are not listed, and reports no failure for it (docs/registries.md).",
    "Redis needs the packages bullmq and ioredis, PostgreSQL needs bullmq and pg. Configure Redis to keep its data: appendonly yes, maxmemory-policy noeviction.",
    "--host-concurrency and --host-rate apply to all workers of a queue together, so give all of them the same values.",
    "Stop a worker with SIGTERM or Ctrl-C. It takes no more agents, and finishes or returns those it works on. docs/scale.md says how many workers you need.",
  ],
  action: async () => (await import("../actions/worker.ts")).work,
});
