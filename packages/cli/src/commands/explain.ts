import { dialects } from "../flag-values.ts";
import { declare, type FlagsOf } from "./command.ts";

const flags = [
  ["--errors", "list every error code with the JSON of its response"],
  ["--dialect <version>", "with --errors: show only this protocol version (repeatable) (default: all)", dialects],
  ["--json", "print JSON"],
  ["--markdown", "with --errors: print Markdown tables"],
] as const;
export type ExplainFlags = FlagsOf<typeof flags>;

export const addExplain = declare("explain", {
  group: "understand",
  does: "Explain a rule and its fix, or an error code.",
  args: [
    [
      "[id]",
      "id of a rule, or of a property of assay gateway; or an error: its code, its HTTP or gRPC status, or its name",
    ],
  ],
  flags,
  examples: [
    ["assay explain LIST-003"],
    ["assay explain STREAM-003 --json"],
    ["assay explain GW-STREAM-TIMING"],
    ["assay explain -32001"],
    ["assay explain TaskNotFoundError"],
    ["assay explain --errors --dialect 0.2"],
  ],
  notes: [
    "For a rule: its text, how Assay checks it, the proof of the check, and the fix. For an error: its form in every protocol version.",
  ],
  action: async () => (await import("../actions/explain.ts")).explain,
});
