import { declare } from "./command.ts";

export const addDemo = declare({
  name: "demo",
  does: "Test the built-in agent: what a test looks like, in a second or two.",
  help: "\nExample:\n  $ assay demo",
  action: async () => (await import("../actions/demo.ts")).playDemo,
});
