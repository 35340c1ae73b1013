import type { RuleSet } from "@assay/suite";
import { gateOptions } from "@assay/suite/options";
import { Option } from "commander";
import { atLeastOne, bindings, dialects, list, portNumber, seconds } from "../flag-values.ts";
import { addOptions, type GateFlags, type ReportFlags, reportOptions } from "../option-flags.ts";
import type { AddCommand } from "./command.ts";

export interface ClientFlags extends ReportFlags, GateFlags {
  readonly situation?: string[];
  readonly binding?: ("JSONRPC" | "HTTP+JSON" | "GRPC")[];
  readonly dialect?: ("0.1" | "0.2" | "0.3" | "1.0")[];
  readonly only?: string[];
  readonly skip?: string[];
  readonly list?: boolean;
  readonly listen?: boolean;
  readonly port?: number;
  readonly timeout?: number;
  readonly concurrency?: number;
  readonly strict?: boolean;
  readonly spec?: RuleSet;
  /** false with --no-record */
  readonly record?: boolean;
  readonly keep?: number;
  readonly json?: boolean;
}

export const addClient: AddCommand = (program, screen, done) => {
  const command = program
    .command("client")
    .description(
      "Test a client: put it into situations, each with an agent of known behaviour, and judge what it sends.",
    )
    .argument("[command...]", "behind --: the program and its arguments; {url} stands for the address of the agent")
    .option("--situation <id>", "only this situation, and those that it rests on (repeatable)", list)
    .option("--binding <name>", "offer only this binding: JSONRPC, HTTP+JSON or GRPC (repeatable)", bindings)
    .option("--dialect <version>", "offer only this protocol version: 1.0, 0.3, 0.2 or 0.1 (repeatable)", dialects)
    .option(
      "--only <what>",
      "only these rules: ids, SEND-*, categories and tags, sections such as §3.6.1 (repeatable)",
      list,
    )
    .option("--skip <what>", "all but these rules (repeatable)", list)
    .option("--list", "show the situations and the rules that each can show, and stop")
    .option("--listen", "serve all situations, each below its own path, for a test suite that drives its client itself")
    .option("--port <n>", "without a command: the port to listen on; any free one unless given", portNumber)
    .option("--timeout <seconds>", "how long the command may take in one situation (10 unless given)", seconds)
    .option("--concurrency <n>", "situations at a time (2 unless given)", atLeastOne)
    .option("--strict", "where the specification is unclear, take the stricter reading")
    .addOption(
      new Option("--spec <set>", "judge by the rules of this published text (the newest unless given)").choices([
        "1.0.1-r1",
        "1.0.0-r1",
      ]),
    )
    .option("--no-record", "write nothing below .assay/runs")
    .option("--keep <n>", "keep so many runs below .assay/runs (20 unless given)", atLeastOne)
    .option("--json", "print the report as JSON, and nothing else");
  addOptions(command, { ...reportOptions, ...gateOptions })
    .addHelpText(
      "after",
      `
The command is run once for each situation. Its environment: ASSAY_AGENT_URL (where the agent is), ASSAY_ACTION (what to do: send,
stream, get, …), ASSAY_SITUATION, ASSAY_MESSAGE (the text to send), ASSAY_TASK and others (docs/clients.md). It prints the text of
the answer and ends with 0, or tells an error and ends with another code; with 75 it declines a situation, which is "not examined".
Without a command it waits, and shows what any client sends to one of the situations, with verdicts; Ctrl-C ends it with a report.
With --listen it prints one JSON line when ready, and a test suite asks: GET /situations lists them, GET /situations/<id> arranges one and says what
the client is told, POST /situations/<id>/verdict judges what it sent since (body, optional: {"exit": 0, "output": "…"}).

Examples:
  $ assay client -- node my-client.js
  $ assay client -- ./client.sh {url}
  $ assay client --situation stream --binding JSONRPC -- python client.py
  $ assay client --listen --port 4050
  $ assay client --report junit=out/client.xml --baseline known.yaml -- npm run --silent client

Exit codes: 0 conformant, as far as examined · 1 not conformant, or less than --fail-on, --require-level, --min-examined ask
for · 2 wrong usage, or inconclusive: the command cannot be started, or sends no message · 3 our own error · 130 interrupted`,
    )
    .action(async (words: string[], flags: ClientFlags) => {
      const { runClient } = await import("../actions/client.ts");
      done(await runClient(words, flags, screen));
    });
};
