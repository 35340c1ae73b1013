import { dialects } from "../flag-values.ts";
import type { AddCommand } from "./command.ts";

export interface ExplainFlags {
  readonly json?: boolean;
  readonly markdown?: boolean;
  readonly errors?: boolean;
  readonly dialect?: ("0.1" | "0.2" | "0.3" | "1.0")[];
}

export const addExplain: AddCommand = (program, screen, done) => {
  program
    .command("explain")
    .description(
      "Explain a rule: what it asks, how it is checked, what proves the check, and what to do; or an error in every version.",
    )
    .argument("[id]", "the id of a rule, as reports name it; or an error: its code, HTTP or gRPC status, or its name")
    .option("--errors", "list every error code, each with the JSON of its response")
    .option("--dialect <version>", "with --errors: only this protocol version (repeatable; default: all)", dialects)
    .option("--json", "print JSON")
    .option("--markdown", "with --errors: print Markdown tables")
    .addHelpText(
      "after",
      "\nExamples:\n  $ assay explain LIST-003\n  $ assay explain STREAM-003 --json\n  $ assay explain -32001\n  $ assay explain TaskNotFoundError\n  $ assay explain --errors --dialect 0.2",
    )
    .action(async (id: string | undefined, flags: ExplainFlags) => {
      const { explain } = await import("../actions/explain.ts");
      done(await explain(id, flags, screen));
    });
};
