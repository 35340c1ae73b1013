import type { AddCommand } from "./command.ts";

export const addDemo: AddCommand = (program, screen, done) => {
  program
    .command("demo")
    .description("Serve the test bed, show a few real exchanges with it, and stop.")
    .addHelpText("after", "\nExample:\n  $ assay demo")
    .action(async () => {
      const { playDemo } = await import("../runs/demo.ts");
      done(await playDemo(screen));
    });
};
