import { configOptions } from "@assay/suite/options";
import { collect, factor, portNumber } from "../flag-values.ts";
import { declare, type FlagsOf } from "./command.ts";

/** What the assay.yaml of the folder may do with secrets and commands of this machine. */
const { allowSecrets, untrustedConfig } = configOptions;

const flags = [
  ["--port <n>", "port to listen on; 0 takes any free one", portNumber, 4070],
  ["--host <address>", "address to listen on", String, "127.0.0.1"],
  ["--allow-host <host>", "a Host it answers to besides its own (repeatable)", collect],
  ["--time-scale <factor>", "scale every delay of the built-in test bed", factor, 0.2],
  ["--no-open", "print the address, and open no browser"],
  ["--export <dir>", "write the page there as one file, with the runs that are kept; it opens from disk"],
  [
    "--run <run>",
    "with --export, only this run: last, last~1, or a name (repeatable; all that are kept unless given)",
    collect,
  ],
  [
    "--matrix <file>",
    "show this matrix document, a JSON document of assay matrix, besides those below .assay/matrix (repeatable)",
    collect,
  ],
  [
    "--history <address>",
    "show the runs of this history too: sqlite:<file> or postgres://…, env:NAME or @file (default: .assay/history.db)",
  ],
  ["--json", "one JSON line when ready, nothing else (the default without a terminal)"],
  { allowSecrets, untrustedConfig },
] as const;
export type UiFlags = FlagsOf<typeof flags>;

export const addUi = declare({
  name: "ui",
  does: "Open a page in the browser: test an agent and watch it, understand each failure, compare runs.",
  flags,
  help: `
Examples:
  $ assay ui                                  the page on http://127.0.0.1:4070, opened in the browser
  $ assay ui --port 0 --no-open --json        any free port, one JSON line with address and token: for scripts
  $ assay ui --export site --run last         the same pages as a static site, to be read and nothing else

Whoever has the address that is printed, with its token, may use the page: test agents from this machine and read the runs below
.assay/runs. It listens on 127.0.0.1, and refuses other names and other pages. What can be asked of it by programs: docs/ui.md.
Stop it with Ctrl-C: tests that go on are ended properly.`,
  action: async () => (await import("../actions/ui.ts")).openThePage,
});
