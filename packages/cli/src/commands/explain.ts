import type { AddCommand } from "./command.ts";

export interface ExplainFlags {
  readonly json?: boolean;
}

export const addExplain: AddCommand = (program, screen, done) => {
  program
    .command("explain")
    .description("Explain a rule: what it asks, how it is checked, what proves the check, and what to do.")
    .argument("<id>", "the id of a rule, as reports name it")
    .option("--json", "as JSON")
    .addHelpText("after", "\nExamples:\n  $ assay explain LIST-003\n  $ assay explain STREAM-003 --json")
    .action(async (id: string, flags: ExplainFlags) => {
      const { explain } = await import("../runs/explain.ts");
      done(await explain(id, flags, screen));
    });
};
