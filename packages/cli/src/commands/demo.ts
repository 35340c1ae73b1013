import { testOptions } from "@assay/suite/options";
import { declare, type FlagsOf } from "./command.ts";

const { shutdownTimeout } = testOptions;

const flags = [["--no-open", "print the path of the report, and open no browser"], { shutdownTimeout }] as const;
export type DemoFlags = FlagsOf<typeof flags>;

export const addDemo = declare("demo", {
  group: "test",
  does: "Take a tour of 30 seconds: test a good and a broken agent.",
  flags,
  examples: [["assay demo"], ["assay demo --no-open", "open no browser at the end"]],
  notes: [
    "The agents run inside this command, on a free port of 127.0.0.1. Assay contacts no other machine.",
    "Assay opens the report only at a terminal with a display, and not if CI is set.",
  ],
  exitCodes: {
    0: "the good agent passed, and Assay found the broken rule",
    3: "internal error",
    130: "interrupted",
  },
  action: async () => (await import("../actions/demo.ts")).playDemo,
});
