import { configOptions, connectionOptions } from "@assay/suite/options";
import { atLeastOne, collect, seconds } from "../flag-values.ts";
import { addOptions, type ConfigFlags, type ConnectionFlags } from "../option-flags.ts";
import type { AddCommand } from "./command.ts";

export interface InteropFlags extends ConnectionFlags, ConfigFlags {
  readonly relay?: string;
  readonly peerRelay?: string;
  readonly peerBearer?: string;
  readonly peerHeader?: string[];
  readonly host: string;
  readonly text?: string;
  readonly atOnce?: number;
  readonly taskTimeout?: number;
  /** false with --no-test */
  readonly test?: boolean;
  readonly json?: boolean;
}

export const addInterop: AddCommand = (program, screen, done) => {
  const command = program
    .command("interop")
    .description("Will two agents understand each other? Compares them, tests each, and lets them talk, both ways.")
    .argument("<a>", "an agent, its card, or its host")
    .argument("<b>", "another one")
    .option(
      "--relay <prompt>",
      'what makes <a> ask another agent: "Ask the agent at {url}: {text}" (relay in assay.yaml)',
    )
    .option("--peer-relay <prompt>", "the same for <b>")
    .option("--peer-bearer <secret>", "the login of <b>, as --bearer is that of <a> (env:NAME or @file)")
    .option("--peer-header <name:value>", "send this header to <b> (repeatable)", collect)
    .option("--text <text>", "what they say to each other", "Reply with the word OK.")
    .option("--at-once <n>", "how many messages at the same time, each way (4 unless given)", atLeastOne)
    .option("--task-timeout <seconds>", "how long an agent may take for one message (60 unless given)", seconds)
    .option("--host <address>", "where the proxies between them listen; the agents have to reach it", "127.0.0.1")
    .option("--no-test", "do not test each of them as a server first")
    .option("--json", "print everything as JSON, and nothing else");
  addOptions(command, { ...configOptions, ...connectionOptions })
    .addHelpText(
      "after",
      `
Examples:
  $ assay interop http://127.0.0.1:9999 http://127.0.0.1:8888
  $ assay interop http://127.0.0.1:9999 https://agents.example.com/maps --peer-bearer env:MAPS_TOKEN
  $ assay interop http://127.0.0.1:9999 http://127.0.0.1:8888 --relay "Ask the agent at {url} this: {text}"

Messages: up to 3 to each agent for its test, and 2 and then 4 at once to each that can relay; each of those asks the other agent once.
Exit codes: 0 they understand each other, as far as it could be tried · 1 they do not · 2 wrong usage, or one of them is not there ·
3 our own error`,
    )
    .action(async (a: string, b: string, flags: InteropFlags) => {
      const { runInterop } = await import("../actions/interop.ts");
      done(await runInterop(a, b, flags, screen));
    });
};
