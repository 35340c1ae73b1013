import type { ProfileOptions } from "@assay/agents";
import { Option } from "commander";
import { atLeastOne, collect, days, factor, mebibytes, minutes, portNumber, seconds } from "../flag-values.ts";
import type { AddCommand } from "./command.ts";
import { type LimitFlags, limitOptions } from "./serve-limits.ts";

export interface ServeFlags extends LimitFlags {
  readonly port: number;
  readonly host: string;
  readonly publicUrl?: string;
  readonly timeScale: number;
  readonly cert?: string;
  readonly key?: string;
  readonly allowHost?: string[];
  readonly allowPrivateWebhooks?: boolean;
  readonly cors?: string[];
  readonly grpcPort?: number;
  readonly profile?: ProfileOptions["profile"];
  readonly mutant?: string;
  readonly root?: string;
  readonly maxMemory: number;
  readonly maxCallerMemory: number;
  readonly maxWait: number;
  readonly store?: string;
  readonly keepTasks: number;
  readonly keepSize: number;
  readonly keepDays: number;
  readonly lease: number;
  readonly log?: boolean;
  readonly record?: boolean;
  readonly recorded?: string;
  readonly json?: boolean;
}

export const addServe: AddCommand = (program, screen, done) => {
  const command = program
    .command("serve")
    .description("Serve the test bed: A2A agents with known behaviour, for those who build clients.")
    .option("--port <n>", "port to listen on; 0 takes any free one", portNumber, 4040)
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("--public-url <url>", "the address clients reach us by, for the cards (behind a proxy)")
    .option("--time-scale <factor>", "scale every delay of the skills: 0.1 makes them ten times faster", factor, 1)
    .option("--cert <file>", "serve TLS with this certificate (PEM), with --key")
    .option("--key <file>", "key of the certificate (PEM)")
    .option("--allow-host <host>", "a Host we answer to, and that webhooks and relay may reach (repeatable)", collect)
    .option("--allow-private-webhooks", "webhooks and relay may reach private networks")
    .option(
      "--cors <origin>",
      "pages of this origin may talk to the agents (repeatable); loopback pages always may",
      collect,
    )
    .option("--grpc-port <n>", "give every agent a gRPC port of its own: this one and those behind it", portNumber)
    .addOption(
      new Option(
        "--profile <suite>",
        "tune /spec (tck: also /spec03, /minimal, /strict) to what a suite expects",
      ).choices(["tck", "acts"]),
    )
    .option("--mutant <id>", "put this mutant in the place of its base (GET /mutants lists them)")
    .option("--root <agent>", "the agent whose card and calls are at the root of the site", "spec")
    .option(
      "--max-memory <MiB>",
      "what is held for all clients together: tasks, webhooks, bodies, answers",
      mebibytes,
      192,
    )
    .option("--max-caller-memory <MiB>", "what is held for one of them: by login, else by address", mebibytes, 96)
    .option("--max-wait <minutes>", "end a task that nothing has happened to for so long", minutes, 60)
    .option(
      "--store <address>",
      "keep tasks and webhooks in a database: sqlite:<file> or postgres://…; env:NAME or @file where it holds a password (default: memory)",
    )
    .option(
      "--keep-tasks <n>",
      "with --store: so many tasks; those that ended longest ago make room",
      atLeastOne,
      1_000_000,
    )
    .option("--keep-size <MiB>", "with --store: tasks that say so much together; the same make room", mebibytes, 10_240)
    .option("--keep-days <n>", "with --store: a task is kept so long after its end", days, 30)
    .option(
      "--lease <seconds>",
      "with --store: a server that is not heard of for so long is taken for gone, and its running tasks end as failed",
      seconds,
      15,
    )
    .option("--log", "print a line for every request when it is over, and below it what rules about clients it breaks")
    .option("--record", "keep what clients send, and what they are answered, as a run below .assay/runs")
    .option(
      "--recorded <run>",
      "serve the agent of a recorded run in the place of the test bed: its card, and to each request the answer of then",
    )
    .option("--json", "one JSON line when ready, nothing else (the default without a terminal)")
    .addHelpText(
      "after",
      `
Examples:
  $ assay serve                                   agents on http://127.0.0.1:4040
  $ assay serve --port 0 --json                   any free port, one JSON line with the address: for scripts
  $ assay serve --time-scale 0.1                  for test suites: every delay a tenth
  $ assay serve --max-memory 1024                 for load tests: room for more, and for as much of it as the machine has
  $ assay serve --store sqlite:tasks.db           what clients were told is there again after a crash
  $ assay serve --store env:STORE_URL             PostgreSQL: any number of servers on one store, behind a balancer
  $ assay serve --record                          then: assay runs, assay report last --report har
  $ assay serve --recorded last --time-scale 0.1  the agent of the last run, its streams ten times as fast
  $ assay serve --host 0.0.0.0 --public-url https://a2a.example.com

A recorded agent answers what was asked in the recording: the same operation over the same binding and path with the same parameters, ids of
messages apart; else, for a message, the same words in the same task. Of several such answers those count whose version, login, extensions
and content type are alike, one after the other; the last one stays. Everything else is refused with TaskNotFound where a
task is named, and with UnsupportedOperation. Addresses on the card are moved here, its signatures are taken off.
Stop it with Ctrl-C: open streams are ended and answers under way are finished.`,
    )
    .action(async (flags: ServeFlags) => {
      const { serve } = await import("../runs/serve.ts");
      done(await serve(flags, screen));
    });
  for (const option of limitOptions) command.addOption(option);
};
