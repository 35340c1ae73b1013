import { dialects } from "../flag-values.ts";
import { declare, type FlagsOf } from "./command.ts";

const flags = [
  ["--errors", "list every error code, each with the JSON of its response"],
  ["--dialect <version>", "with --errors: only this protocol version (repeatable; default: all)", dialects],
  ["--json", "print JSON"],
  ["--markdown", "with --errors: print Markdown tables"],
] as const;
export type ExplainFlags = FlagsOf<typeof flags>;

export const addExplain = declare({
  name: "explain",
  does: "Explain a rule: what it asks, how it is checked, what proves the check, and what to do; or an error in every version.",
  args: [["[id]", "the id of a rule, as reports name it; or an error: its code, HTTP or gRPC status, or its name"]],
  flags,
  help: "\nExamples:\n  $ assay explain LIST-003\n  $ assay explain STREAM-003 --json\n  $ assay explain -32001\n  $ assay explain TaskNotFoundError\n  $ assay explain --errors --dialect 0.2",
  action: async () => (await import("../actions/explain.ts")).explain,
});
