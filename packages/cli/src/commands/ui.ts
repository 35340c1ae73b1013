import { configOptions, testOptions } from "@assay/suite/options";
import { collect, factor, portNumber } from "../flag-values.ts";
import { declare, type FlagsOf } from "./command.ts";

/** Limits what the assay.yaml of the folder may do with secrets and commands of this machine. */
const { allowSecrets, untrustedConfig } = configOptions;
const { shutdownTimeout } = testOptions;

const flags = [
  "Target",
  ["--start <command>", "start the agent with this command, and stop it with the page"],
  "Server",
  ["--port <n>", "port to listen on; 0 picks a free one", portNumber, 4070],
  ["--host <address>", "address to listen on", String, "127.0.0.1"],
  ["--allow-host <host>", "additional Host header to accept (repeatable)", collect],
  ["--time-scale <factor>", "scale every delay of the built-in test bed", factor, 0.2],
  ["--no-open", "print the address, and open no browser"],
  ["--json", "print only one JSON line when ready (default: if stdout is not a terminal)"],
  {
    shutdownTimeout: {
      ...shutdownTimeout,
      means: "after SIGTERM or Ctrl-C: time to end running tests before Assay exits",
    },
  },
  "Content",
  ["--export <dir>", "write the page with the saved runs to this folder, as one file that opens from disk"],
  [
    "--run <run>",
    "with --export: only this run: last, last~1, or a name (repeatable) (default: all saved runs)",
    collect,
  ],
  ["--matrix <file>", "show this JSON report of assay matrix, besides those in .assay/matrix (repeatable)", collect],
  [
    "--history <address>",
    "show the runs of this history, too: sqlite:<file> or postgres://…, env:NAME or @file (default: .assay/history.db)",
  ],
  "Configuration",
  { allowSecrets, untrustedConfig },
] as const;
export type UiFlags = FlagsOf<typeof flags>;

export const addUi = declare("ui", {
  group: "test",
  does: "Test agents, study failures and compare runs in the browser.",
  args: [["[url]", "address to fill in (default: that of assay.yaml)"]],
  flags,
  examples: [
    ["assay ui", "open http://127.0.0.1:4070 in the browser"],
    ['assay ui http://127.0.0.1:9999 --start "npm run agent"', "start the agent, too"],
    ["assay ui --port 0 --no-open --json", "for scripts: any free port"],
    ["assay ui --export site --run last", "write a read-only static site"],
  ],
  notes: [
    "Anyone who has the printed address with its token can use the page: test agents from this machine and read the runs in .assay/runs. The server listens on 127.0.0.1, and rejects other host names and requests from other pages. docs/ui.md describes its API.",
    "Press Ctrl-C to stop. Assay ends running tests properly.",
  ],
  action: async () => (await import("../actions/ui.ts")).openThePage,
});
