import { atLeastOne, seconds } from "../flag-values.ts";
import { addExaminerFlags, type ExaminerFlags } from "../fleet/examiner-flags.ts";
import type { AddCommand } from "./command.ts";

export interface WorkerFlags extends ExaminerFlags {
  readonly queue: string;
  readonly history: string;
  readonly concurrency: number;
  readonly name?: string;
  readonly grace: number;
  readonly lease: number;
  readonly untilEmpty?: boolean;
  readonly secrets?: string;
  readonly json?: boolean;
}

export const addWorker: AddCommand = (program, screen, done) => {
  const command = program
    .command("worker")
    .description("Examine the agents that assay fleet --queue hands out: any number of workers, on any machines.")
    .requiredOption(
      "--queue <address>",
      "redis://…, rediss://… or postgres://…, that of assay fleet; env:NAME or @file where it holds a password",
    )
    .requiredOption(
      "--history <address>",
      "where verdicts are kept, for all workers the same: postgres://…, or sqlite:<file> on one machine; env:NAME or @file",
    )
    .option("--concurrency <n>", "examine so many agents at a time", atLeastOne, 4)
    .option("--name <name>", "what this worker is called in verdicts (host and process unless given)")
    .option(
      "--secrets <file>",
      "logins of this worker's own, by name or address of an agent (YAML, docs/registries.md)",
    )
    .option("--until-empty", "end when nothing waits, runs or is put off")
    .option(
      "--grace <seconds>",
      "when told to stop, let examinations go on for so long before they are given back",
      seconds,
      20,
    )
    .option(
      "--lease <seconds>",
      "a worker that is not heard of for so long is taken for gone, and its jobs are handed to others",
      seconds,
      15,
    );
  addExaminerFlags(command)
    .option(
      "--json",
      "one JSON line for each verdict, and one a minute about the worker (the default without a terminal)",
    )
    .addHelpText(
      "after",
      `
Examples:
  $ assay worker --queue env:QUEUE_URL --history env:HISTORY_URL
  $ assay worker --queue redis://queue.internal:6379 --history env:HISTORY_URL --concurrency 32
  $ assay worker --queue env:QUEUE_URL --history env:HISTORY_URL --until-empty     for a job of a scheduler
  $ assay worker --queue env:QUEUE_URL --history env:HISTORY_URL --allow-secret env:MAPS_TOKEN@agents.example:443

Secrets: a worker uses a secret only where its operator lists it, with the host that may get it: --allow-secret, or --secrets with logins by
agent. An agent whose login is not listed is not examined, and is accused of nothing (docs/registries.md). Redis needs the packages bullmq and ioredis beside assay, PostgreSQL bullmq and pg; Redis has to keep what it is told
(appendonly yes, maxmemory-policy noeviction). Workers of one queue should agree on --host-concurrency and --host-rate, which hold for all of them
together. Stop it with SIGTERM or Ctrl-C: no more agents are taken, those under way are finished or given back. How many workers it takes: docs/scale.md.`,
    )
    .action(async (flags: WorkerFlags) => {
      const { work } = await import("../actions/worker.ts");
      done(await work(flags, screen));
    });
};
