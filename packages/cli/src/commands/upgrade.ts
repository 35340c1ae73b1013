import { configOptions, connectionOptions, testOptions } from "@assay/suite/options";
import { list } from "../flag-values.ts";
import { declare, type FlagsOf } from "./command.ts";

const { card, bindings, skills, start, webhookUrl, webhookListen, budget, useExamples, sdk, principal } = testOptions;
const { keep, json, record, redact, taskTimeout, maxTime, grace, shutdownTimeout, concurrency, rate } = testOptions;

const flags = [
  "Upgrade",
  ["--to <version>", "version to upgrade to", ["1.0"], "1.0"],
  ["--check", "check an agent that speaks several versions: exit with 1 if they are not equivalent"],
  ["--client", "make the plan for a client: give its command after --"],
  ["--write-card <file>", "write the card for 1.0 alone to this file"],
  ["--write-both-card <file>", "write the card for the older version and 1.0 to this file"],
  ["--matrix <file>", "matrix document (.json or .json.gz) with results of clients, from assay matrix"],
  "Agent",
  { card, bindings, skills, start, webhookUrl, webhookListen, ...configOptions, principal },
  {
    budget: { ...budget, means: "maximum number of messages to send", default: "8" },
    useExamples,
    sdk: { ...sdk, means: "SDK of the agent, such as a2a-python@0.3.26; the plan names its release and its notes" },
  },
  "Output",
  ["--report <format[=file]>", "write the plan to a file or to stdout: markdown, json, html (repeatable)", list],
  { json: { ...json, means: "print only the plan, as JSON" }, redact, record, keep },
  "Run control",
  { taskTimeout, maxTime, grace, shutdownTimeout, concurrency, rate },
  "Connection",
  connectionOptions,
] as const;
export type UpgradeFlags = FlagsOf<typeof flags>;

export const addUpgrade = declare("upgrade", {
  group: "build",
  does: "Plan the upgrade of an agent or a client to A2A 1.0, and check it.",
  args: [["[target...]", "the agent's address, its card, or its host; with --client, the command of the client"]],
  flags,
  examples: [
    ["assay upgrade http://127.0.0.1:9999"],
    ["assay upgrade http://127.0.0.1:9999 --report markdown=upgrade.md"],
    ["assay upgrade http://127.0.0.1:9999 --write-card agent-card.json"],
    ["assay upgrade --check http://127.0.0.1:9999", "for CI: exit with 1 if the versions differ"],
    ["assay upgrade --client -- node my-client.js", "what the client sends, and what 1.0 needs"],
    ["assay upgrade https://agents.example.com/maps --bearer env:TOKEN --budget 4"],
  ],
  notes: [
    "Assay tests the agent as it is, with at most 8 messages. From the recorded traffic it writes the plan: the new card, each operation today and in 1.0, the clients that break, and the steps (docs/upgrade.md). Each message may be a model call and cost money.",
    "With --check, Assay makes a task in each version and compares what the versions say about it: card, id, state, artifacts, history, list, errors. Content that the older version cannot express is not a difference.",
    "With --client, Assay runs your command as assay client does, with agents of each version. The environment variables are those of docs/clients.md.",
  ],
  exitCodes: {
    0: "the plan is written; with --check, the versions are equivalent; with --client, the client is ready for 1.0",
    1: "with --check, the versions are not equivalent; with --client, the client is not ready for 1.0",
    2: "wrong usage, no plan is possible, or with --check nothing could be compared",
    3: "internal error",
    130: "interrupted",
  },
  action: async () => (await import("../actions/upgrade.ts")).runUpgrade,
});
