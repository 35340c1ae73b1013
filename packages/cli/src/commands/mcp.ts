import { testOptions } from "@assay/suite/options";
import { atLeastOne } from "../flag-values.ts";
import { declare, type FlagsOf } from "./command.ts";

const { allowHosts, allowSecrets, shutdownTimeout } = testOptions;

const flags = [
  "Permissions",
  ["--allow-private", "allow requests to private networks, except cloud metadata"],
  {
    allowHosts: { ...allowHosts, means: "allow requests to this host wherever it resolves to (repeatable)" },
    allowSecrets: {
      ...allowSecrets,
      means:
        "let tools send this secret (env:NAME or @file) to this host, such as env:TOKEN@agents.example:443 (repeatable)",
    },
  },
  ["--allow-commands", "add test_client and the argument start of test_agent, which run commands on this machine"],
  "Limits",
  ["--budget <n>", "maximum number of messages that one call may send", atLeastOne, 120],
  ["--total-budget <n>", "maximum number of messages that all calls may send", atLeastOne, 500],
  ["--runs <folder>", "folder for the recordings of runs", String, ".assay"],
  {
    shutdownTimeout: {
      ...shutdownTimeout,
      means: "after SIGTERM, Ctrl-C or the end of the client: time to cancel tasks before Assay exits",
    },
  },
] as const;
export type McpFlags = FlagsOf<typeof flags>;

export const addMcp = declare("mcp", {
  group: "build",
  does: "Offer Assay's tools to coding agents over MCP (stdio).",
  flags,
  examples: [
    ["assay mcp", "your coding agent starts this; docs/mcp.md shows its configuration"],
    ["assay mcp --allow-commands", "let it start the agent or client that it tests"],
    ["assay mcp --allow-secret env:TOKEN@agents.example:443"],
  ],
  notes: [
    "Tools: test_agent, get_finding, explain_rule, explain_error, check_card, send_message, start_testbed, diff_runs; with --allow-commands also test_client.",
    "Permissions and limits are fixed at start: no argument of a tool changes them. Tools contact only addresses that the caller names. Agents on this machine and on the public internet need no flag.",
    "stdout carries only the protocol. Logs go to stderr. assay mcp does not read assay.yaml.",
  ],
  action: async () => (await import("../actions/mcp.ts")).serveTools,
});
