import { declare } from "./command.ts";

export const addDemo = declare("demo", {
  group: "test",
  does: "Test the built-in agent (takes two seconds).",
  examples: [["assay demo"]],
  action: async () => (await import("../actions/demo.ts")).playDemo,
});
