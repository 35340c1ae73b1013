import type { RuleSet } from "@assay/suite";
import { type Depth, depths } from "@assay/suite/report";
import { Option } from "commander";
import { addConfigFlags, type ConfigFlags } from "../config-flags.ts";
import { addConnectionFlags, type ConnectionFlags } from "../connection-flags.ts";
import { atLeastOne, bindings, count, dialects, list, perSecond, seconds } from "../flag-values.ts";
import { addGateFlags, type GateFlags } from "../gate-flags.ts";
import { addReportFlags, type ReportFlags } from "../report-flags.ts";
import type { AddCommand } from "./command.ts";

export interface TestFlags extends ConnectionFlags, ConfigFlags, ReportFlags, GateFlags {
  readonly depth?: Depth;
  readonly binding?: ("JSONRPC" | "HTTP+JSON" | "GRPC")[];
  readonly dialect?: ("0.1" | "0.2" | "0.3" | "1.0")[];
  readonly skill?: string[];
  readonly only?: string[];
  readonly skip?: string[];
  readonly list?: boolean;
  readonly card?: string;
  readonly peer?: string;
  readonly principal?: "default" | "second" | "restricted";
  readonly webhookUrl?: string;
  readonly webhookListen?: string;
  readonly taskTimeout?: number;
  readonly maxTime?: number;
  readonly grace?: number;
  readonly concurrency?: number;
  readonly rate?: number;
  readonly budget?: number;
  readonly rude?: boolean;
  readonly useExamples?: boolean;
  readonly convention?: "tck" | "acts";
  readonly strict?: boolean;
  readonly procedure?: boolean;
  readonly production?: boolean;
  readonly spec?: RuleSet;
  /** false with --no-record */
  readonly record?: boolean;
  readonly keep?: number;
  readonly history?: string;
  readonly watch?: boolean;
  readonly dryRun?: boolean;
  readonly redact?: boolean;
  readonly sdk?: string;
  readonly ignoreKnownSdk?: boolean;
  readonly failed?: boolean;
  readonly repeat?: number;
  /** the run that is to go on, or whichever it is */
  readonly resume?: string | true;
  /** false with --no-start */
  readonly start?: string | false;
  /** of assay.yaml, by name */
  readonly agent?: string[];
  readonly json?: boolean;
}

export const addTest: AddCommand = (program, screen, done) => {
  const command = program
    .command("test")
    .description("Test an agent: does it conform, and what has to be fixed?")
    .argument("[url]", "the agent, its card, or its host; the one of assay.yaml unless given")
    .addOption(
      new Option(
        "--depth <how>",
        "how much is asked of the agent (quick unless given: at most 8 messages; full for the test bed on this machine)",
      ).choices(depths),
    )
    .option("--binding <name>", "test only this binding: JSONRPC, HTTP+JSON or GRPC (repeatable)", bindings)
    .option(
      "--dialect <version>",
      "test only this protocol version: 1.0, 0.3, 0.2 or 0.1 (repeatable; every one that the card declares or the agent answers to, unless given)",
      dialects,
    )
    .option(
      "--skill <id>",
      "speak to this skill; with several, or with all, try each with its first example: one message more for each (repeatable)",
      list,
    )
    .option(
      "--only <what>",
      "only these rules: ids, LIST-*, categories and tags such as security, sections such as §3.1.4 (repeatable)",
      list,
    )
    .option("--skip <what>", "all but these rules (repeatable)", list)
    .option("--list", "show the checks that would be made, and stop")
    .option(
      "--dry-run",
      "show the texts and requests that would be sent, and how many messages at each depth, and stop: only the card is fetched",
    )
    .option("--card <url>", "where the card is, when it cannot be found from the address")
    .option("--agent <name>", "test only this one of the agents in assay.yaml (repeatable)", list)
    .addOption(
      new Option("--principal <name>", "test as this principal of assay.yaml (default unless given)").choices([
        "default",
        "second",
        "restricted",
      ]),
    )
    .option(
      "--peer <url>",
      "another agent: after the test both are made to talk to each other where one can relay (up to 12 messages more); fills interop",
    )
    .option("--webhook-url <url>", "the address at which the agent reaches our webhook, when it is not on this machine")
    .option("--webhook-listen <host:port>", "where our webhook listens (a free port of 127.0.0.1 unless given)")
    .option(
      "--task-timeout <seconds>",
      "how long the agent may take for one message or task (60 unless given)",
      seconds,
    )
    .option(
      "--max-time <seconds>",
      "end the run after this long; what is left then is not examined (never unless given)",
      seconds,
    )
    .option(
      "--grace <seconds>",
      "how long to wait before saying that something did not happen (15 or 30, by the agent's own pace, unless given)",
      seconds,
    )
    .option(
      "--concurrency <n>",
      "calls at a time, and messages, at most (4, and 2 to 8 as it keeps up, unless given)",
      atLeastOne,
    )
    .option("--rate <n>", "at most so many requests a second (no limit unless given)", perSecond)
    .option(
      "--budget <n>",
      "at most so many messages; what was left out is said (as many as the depth has unless given)",
      count,
    )
    .option("--rude", "allow what could hurt: huge, deep or endless input, floods, references to third-party addresses")
    .option("--use-examples", "the examples of the card's skills may be sent as messages")
    .addOption(
      new Option("--convention <suite>", "the agent answers to the messages of this suite").choices(["tck", "acts"]),
    )
    .option(
      "--procedure",
      "follow the interoperability procedure of docs/procedure.md step by step, every skill included; its results are not A2A conformance results",
    )
    .option("--strict", "where the specification is unclear, take the stricter reading")
    .option(
      "--sdk <name[@version]>",
      "the SDK of the agent, such as a2a-python@1.3.0: failures that are known faults of it are marked (default: recognised by its answers)",
    )
    .option("--ignore-known-sdk", "accept known faults of the SDK as a baseline would")
    .option("--production", "a production deployment: TLS and the like are expected of it")
    .addOption(
      new Option("--spec <set>", "judge by the rules of this published text (the newest unless given)").choices([
        "1.0.1-r1",
        "1.0.0-r1",
      ]),
    )
    .option(
      "--redact",
      "leave the content of conversations (texts, data, files, artifacts, words of errors) out of the recording and every report; ids, states and sizes stay",
    )
    .option("--no-record", "write nothing below .assay/runs")
    .option("--keep <n>", "keep so many runs below .assay/runs (20 unless given)", atLeastOne)
    .option(
      "--history <address>",
      "take the run into this history, too: sqlite:<file> or postgres://…, env:NAME or @file; assay runs reads it",
    )
    .option("--failed", "only what failed in the last run of this agent, and what it held up")
    .option(
      "--resume [run]",
      "go on with a run that was cut off or interrupted (the last one of this agent unless named): what it finished is kept, the rest examined, with the same options; give secrets again",
    )
    .option("--repeat <n>", "test so many times, and name the verdicts that differ (once unless given)", atLeastOne)
    .option("--watch", "test again whenever the agent changes, and say what changed")
    .option("--start <command>", "start the agent with this command, again if it dies, and end it afterwards")
    .option(
      "--no-start",
      "do not run the start command of assay.yaml; its secrets are still used (--untrusted-config refuses both)",
    )
    .option("--json", "print the report as JSON, and nothing else");
  addConfigFlags(command, "settings of the project (./assay.yaml when there is one; assay init writes it)");
  addConnectionFlags(addGateFlags(addReportFlags(command)))
    .addHelpText(
      "after",
      `
Examples:
  $ assay test http://127.0.0.1:9999
  $ assay test http://127.0.0.1:9999 --depth full --report junit=out/assay.xml
  $ assay test https://agents.example.com/maps --bearer env:TOKEN --budget 4
  $ assay test http://127.0.0.1:9999 --start "npm run agent" --watch
  $ assay test http://127.0.0.1:9999 --only streaming --only LIST-003
  $ assay test http://127.0.0.1:9999 --dry-run              what would be sent? Only the card is fetched
  $ assay test http://127.0.0.1:9999 --depth full --resume  go on where the last run was cut off
  $ assay test http://127.0.0.1:9999 --dialect 0.3 --only 'V03-*'

Depth: card (only the card) · free (0 messages) · quick (at most 8 messages) · full (everything)
A message is what the agent works on, and may be a model call that costs money. What was sent wrong on purpose counts if it is accepted.
Exit codes: 0 conformant, as far as examined · 1 not conformant, or less than --fail-on, --require-level, --min-examined ask
for · 2 wrong usage, or inconclusive: not reachable, no card, a login, or no message answered · 3 our own error ·
130 interrupted`,
    )
    .action(async (url: string | undefined, flags: TestFlags) => {
      const { runTest } = await import("../actions/test.ts");
      done(await runTest(url, flags, screen));
    });
};
