import type { AddCommand } from "./command.ts";

export const addDemo: AddCommand = (program, screen, done) => {
  program
    .command("demo")
    .description("Test the built-in agent: what a test looks like, in a second or two.")
    .addHelpText("after", "\nExample:\n  $ assay demo")
    .action(async () => {
      const { playDemo } = await import("../actions/demo.ts");
      done(await playDemo(screen));
    });
};
