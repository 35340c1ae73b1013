import { gateOptions } from "@assay/suite/options";
import { atLeastOne, bindings, dialects, list, portNumber, seconds } from "../flag-values.ts";
import { reportOptions } from "../option-flags.ts";
import { declare, type FlagsOf } from "./command.ts";

const flags = [
  ["--situation <id>", "only this situation, and those that it rests on (repeatable)", list],
  ["--binding <name>", "offer only this binding: JSONRPC, HTTP+JSON or GRPC (repeatable)", bindings],
  ["--dialect <version>", "offer only this protocol version: 1.0, 0.3, 0.2 or 0.1 (repeatable)", dialects],
  ["--only <what>", "only these rules: ids, SEND-*, categories and tags, sections such as §3.6.1 (repeatable)", list],
  ["--skip <what>", "all but these rules (repeatable)", list],
  ["--list", "show the situations and the rules that each can show, and stop"],
  ["--listen", "serve all situations, each below its own path, for a test suite that drives its client itself"],
  ["--port <n>", "without a command: the port to listen on; any free one unless given", portNumber],
  ["--timeout <seconds>", "how long the command may take in one situation (10 unless given)", seconds],
  ["--concurrency <n>", "situations at a time (2 unless given)", atLeastOne],
  ["--strict", "where the specification is unclear, take the stricter reading"],
  ["--spec <set>", "judge by the rules of this published text (the newest unless given)", ["1.0.1-r1", "1.0.0-r1"]],
  ["--no-record", "write nothing below .assay/runs"],
  ["--keep <n>", "keep so many runs below .assay/runs (20 unless given)", atLeastOne],
  ["--json", "print the report as JSON, and nothing else"],
  { ...reportOptions, ...gateOptions },
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
