import { gateOptions, testOptions } from "@assay/suite/options";
import { list, portNumber } from "../flag-values.ts";
import { reportOptions } from "../option-flags.ts";
import { declare, type FlagsOf } from "./command.ts";

const { bindings, dialects, only, skip, timeout, concurrency, strict, ruleSet, record, keep, json } = testOptions;

const flags = [
  ["--situation <id>", "only this situation, and those that it rests on (repeatable)", list],
  ["--list", "show the situations and the rules that each can show, and stop"],
  ["--listen", "serve all situations, each below its own path, for a test suite that drives its client itself"],
  ["--port <n>", "without a command: the port to listen on; any free one unless given", portNumber],
  {
    bindings: { ...bindings, means: "offer only this binding: JSONRPC, HTTP+JSON or GRPC (repeatable)" },
    dialects: { ...dialects, means: "offer only this protocol version (repeatable)", default: "all" },
    only: {
      ...only,
      means: "only these rules: ids, SEND-*, categories and tags, sections such as §3.6.1 (repeatable)",
    },
    skip,
    timeout: { ...timeout, means: "how long the command may take in one situation", default: "10" },
    concurrency: { ...concurrency, means: "situations at a time", default: "2" },
    strict,
    ruleSet,
    record,
    keep,
    json,
    ...reportOptions,
    ...gateOptions,
  },
] as const;
export type ClientFlags = FlagsOf<typeof flags>;

export const addClient = declare({
  name: "client",
  does: "Test a client: put it into situations, each with an agent of known behaviour, and judge what it sends.",
  args: [["[command...]", "behind --: the program and its arguments; {url} stands for the address of the agent"]],
  flags,
  help: `
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
  action: async () => (await import("../actions/client.ts")).runClient,
});
