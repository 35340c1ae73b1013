import { gateOptions, testOptions } from "@assay/suite/options";
import { contractTier, list, portNumber } from "../flag-values.ts";
import { reportOptions } from "../option-flags.ts";
import { declare, type FlagsOf } from "./command.ts";

const { bindings, dialects, only, skip, timeout, concurrency, strict, ruleSet, record, keep, json, shutdownTimeout } =
  testOptions;

const flags = [
  "Situations",
  ["--situation <id>", "run only this situation and those it depends on (repeatable)", list],
  [
    "--can <actions>",
    "actions that the client supports besides send, such as stream,get; Assay skips the others (default: all)",
    list,
  ],
  ["--faults", "run the situations with injected faults, too: lost responses, rate limits, broken streams"],
  ["--stdin", "start the command once and pass the situations to it as JSON lines (docs/clients.md)"],
  ["--write-profile <file>", "write what the client can do and cannot do, as JSON (docs/forecast.md)"],
  [
    "--as <name@version>",
    "the client's name and version in its profile (default: the name of its program, without a version)",
  ],
  ["--list", "list the situations and the rules each can show, and stop"],
  ["--listen", "serve all situations, each at its own path, for a test suite that drives the client itself"],
  ["--port <n>", "port to listen on when there is no command (default: any free port)", portNumber],
  {
    bindings: { ...bindings, means: "offer only this binding: JSONRPC, HTTP+JSON or GRPC (repeatable)" },
    dialects: { ...dialects, means: "offer only this protocol version (repeatable)", default: "all" },
    only: {
      ...only,
      means: "check only these rules: ids, SEND-*, categories, tags, sections such as §3.6.1 (repeatable)",
    },
    skip,
    timeout: { ...timeout, means: "time limit of the command in one situation", default: "10" },
    concurrency: { ...concurrency, means: "situations to run at a time", default: "2" },
    shutdownTimeout: {
      ...shutdownTimeout,
      means: "after SIGTERM or Ctrl-C: time to end the client and write reports before Assay exits",
    },
  },
  "Contract",
  ["--contract <name>", "measure a command-line client against this contract instead: a2a-cli", ["a2a-cli"]],
  ["--tier <n>", "tier that the tool has to satisfy for exit code 0: 1, 2 or 3 (default: 1)", contractTier],
  ["--agent-skill <folder>", "folder of the Agent Skill that the tool ships, or none"],
  ["--out <file>", "file for the report of the contract (default: compliance-report.yaml)"],
  "Judging",
  { strict, ruleSet, ...gateOptions },
  "Output",
  { record, keep, json, ...reportOptions },
] as const;
export type ClientFlags = FlagsOf<typeof flags>;

export const addClient = declare("client", {
  group: "test",
  does: "Test a client against agents of known behaviour.",
  args: [["[command...]", "after --: your client and its arguments; Assay replaces {url} with the agent's address"]],
  flags,
  examples: [
    ["assay client -- node my-client.js"],
    ["assay client -- ./client.sh {url}"],
    ["assay client --situation stream --binding JSONRPC -- python client.py"],
    ["assay client --can stream,get -- node my-client.js", "skip the situations with any other action"],
    ["assay client --faults -- node my-client.js", "inject faults, too: lost responses, rate limits, broken streams"],
    ["assay client --write-profile my.json --as my@1.2.0 -- node my-client.js"],
    ["assay client --listen --port 4050"],
    ["assay client --contract a2a-cli -- ./a2a", "measure a command-line client, and write compliance-report.yaml"],
    ["assay client --report junit=out/client.xml -- npm run --silent client"],
  ],
  notes: [
    "Assay puts your client into situations, each with an agent of known behaviour, and judges what it sends.",
    "Assay runs your command once for each situation. It passes instructions in environment variables: ASSAY_AGENT_URL (address of the agent), ASSAY_ACTION (send, stream, get, …), ASSAY_SITUATION, ASSAY_MESSAGE (text to send), ASSAY_TASK and others (docs/clients.md).",
    'Your command prints the text of the answer and exits with 0, or reports an error and exits with another code. Exit code 75 skips the situation; the report shows it as "not examined".',
    "Without a command, Assay waits for any client and shows what it sends, with verdicts. Press Ctrl-C to stop and get the report.",
    'With --listen, Assay prints one JSON line when it is ready. A test suite then calls GET /situations to list the situations, GET /situations/<id> to prepare one, and POST /situations/<id>/verdict to judge what the client sent since then. The body is optional: {"exit": 0, "output": "…"}.',
    "With --contract, Assay starts the tool with the arguments of the contract, each time in an empty home directory and without your environment variables. See docs/contract.md.",
  ],
  exitCodes: {
    0: "conformant, as far as examined; with --contract: the tier is satisfied",
    1: "not conformant, or below --fail-on, --require-level or --min-examined; with --contract: the tier is not satisfied",
    2: "wrong usage, or inconclusive: the command does not start or sends no message",
    3: "internal error",
    130: "interrupted",
  },
  action: async () => (await import("../actions/client.ts")).runClient,
});
