import { configOptions, connectionOptions, testOptions } from "@assay/suite/options";
import { list } from "../flag-values.ts";
import { declare, type FlagsOf, required } from "./command.ts";

const { shutdownTimeout } = testOptions;

const flags = [
  ["--policy <file>", "the gates to pass (required)", String, required],
  ["--report <format=file>", "write the verdict to a file: json, sarif or markdown (repeatable)", list],
  ["--json", "print only the verdict, as JSON"],
  { shutdownTimeout },
  "Agent",
  configOptions,
  "Connection",
  connectionOptions,
] as const;
export type GateFlags = FlagsOf<typeof flags>;

export const addGate = declare("gate", {
  group: "test",
  does: "Decide if an agent may be released: test, card, signature, forecast.",
  args: [["<agent>", "the agent's address"]],
  flags,
  examples: [
    ["assay gate http://127.0.0.1:9999 --policy gate.yaml"],
    ["assay gate https://agents.example.com --policy gate.yaml --json"],
  ],
  notes: [
    "A policy, gate.yaml. Omit the gates that you do not need. Files are relative to the policy:",
    "test: { depth: quick, failOn: must, requireLevel: partial, minExamined: 50 }",
    "cardDiff: { released: released-card.json, failOn: breaking }",
    "signature: { key: publisher.jwk }",
    "forecast: { clients: [Python SDK 1, JavaScript SDK 1], minWorking: 5 }",
    "Assay tests the agent once. A gate that it cannot examine never passes. On GitHub, the verdict is also in the job summary (docs/gate.md).",
  ],
  exitCodes: {
    0: "every gate of the policy passed",
    1: "a gate failed",
    2: "wrong usage, or no gate failed and one could not be examined",
    3: "internal error, or a report could not be written",
    130: "interrupted",
  },
  action: async () => (await import("../actions/gate.ts")).runGate,
});
