import type { AddCommand } from "./command.ts";

export interface ExplainFlags {
  readonly json?: boolean;
}

export const addExplain: AddCommand = (program, screen, done) => {
  program
    .command("explain")
    .description(
      "Explain a rule: what it asks, how it is checked, what proves the check, and what to do; or an error in every version.",
    )
    .argument("<id>", "the id of a rule, as reports name it; or an error: its code, HTTP or gRPC status, or its name")
    .option("--json", "as JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  $ assay explain LIST-003\n  $ assay explain STREAM-003 --json\n  $ assay explain -32001\n  $ assay explain TaskNotFoundError",
    )
    .action(async (id: string, flags: ExplainFlags) => {
      const { explain } = await import("../runs/explain.ts");
      done(await explain(id, flags, screen));
    });
};
