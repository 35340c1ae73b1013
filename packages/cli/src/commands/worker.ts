import { atLeastOne, seconds } from "../flag-values.ts";
import { examinerFlags } from "../fleet/examiner-flags.ts";
import { declare, type FlagsOf, required } from "./command.ts";

const flags = [
  [
    "--queue <address>",
    "redis://…, rediss://… or postgres://…, that of assay fleet; env:NAME or @file where it holds a password",
    String,
    required,
  ],
  [
    "--history <address>",
    "where verdicts are kept, for all workers the same: postgres://…, or sqlite:<file> on one machine; env:NAME or @file",
    String,
    required,
  ],
  ["--concurrency <n>", "examine so many agents at a time", atLeastOne, 4],
  ["--name <name>", "what this worker is called in verdicts (host and process unless given)"],
  ["--secrets <file>", "logins of this worker's own, by name or address of an agent (YAML, docs/registries.md)"],
  ["--until-empty", "end when nothing waits, runs or is put off"],
  [
    "--grace <seconds>",
    "when told to stop, let examinations go on for so long before they are given back",
    seconds,
    20,
  ],
  [
    "--lease <seconds>",
    "a worker that is not heard of for so long is taken for gone, and its jobs are handed to others",
    seconds,
    15,
  ],
  ...examinerFlags,
  ["--json", "one JSON line for each verdict, and one a minute about the worker (the default without a terminal)"],
] as const;
export type WorkerFlags = FlagsOf<typeof flags>;

export const addWorker = declare({
  name: "worker",
  does: "Examine the agents that assay fleet --queue hands out: any number of workers, on any machines.",
  flags,
  help: `
Examples:
  $ assay worker --queue env:QUEUE_URL --history env:HISTORY_URL
  $ assay worker --queue redis://queue.internal:6379 --history env:HISTORY_URL --concurrency 32
  $ assay worker --queue env:QUEUE_URL --history env:HISTORY_URL --until-empty     for a job of a scheduler
  $ assay worker --queue env:QUEUE_URL --history env:HISTORY_URL --allow-secret env:MAPS_TOKEN@agents.example:443

Secrets: a worker uses a secret only where its operator lists it, with the host that may get it: --allow-secret, or --secrets with logins by
agent. An agent whose login is not listed is not examined, and is accused of nothing (docs/registries.md). Redis needs the packages bullmq and ioredis beside assay, PostgreSQL bullmq and pg; Redis has to keep what it is told
(appendonly yes, maxmemory-policy noeviction). Workers of one queue should agree on --host-concurrency and --host-rate, which hold for all of them
together. Stop it with SIGTERM or Ctrl-C: no more agents are taken, those under way are finished or given back. How many workers it takes: docs/scale.md.`,
  action: async () => (await import("../actions/worker.ts")).work,
});
