import { configOptions } from "@assay/suite/options";
import { collect, factor, portNumber } from "../flag-values.ts";
import { addOptions, type ConfigFlags } from "../option-flags.ts";
import type { AddCommand } from "./command.ts";

export interface UiFlags extends Omit<ConfigFlags, "config"> {
  readonly port: number;
  readonly host: string;
  readonly allowHost?: string[];
  readonly timeScale: number;
  /** false with --no-open */
  readonly open?: boolean;
  readonly export?: string;
  readonly run?: string[];
  readonly matrix?: string[];
  readonly history?: string;
  readonly json?: boolean;
}

/** What the assay.yaml of the folder may do with secrets and commands of this machine. */
const { allowSecrets, untrustedConfig } = configOptions;

export const addUi: AddCommand = (program, screen, done) => {
  const command = program
    .command("ui")
    .description("Open a page in the browser: test an agent and watch it, understand each failure, compare runs.")
    .option("--port <n>", "port to listen on; 0 takes any free one", portNumber, 4070)
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("--allow-host <host>", "a Host it answers to besides its own (repeatable)", collect)
    .option("--time-scale <factor>", "scale every delay of the built-in test bed", factor, 0.2)
    .option("--no-open", "print the address, and open no browser")
    .option("--export <dir>", "write the page there as one file, with the runs that are kept; it opens from disk")
    .option(
      "--run <run>",
      "with --export, only this run: last, last~1, or a name (repeatable; all that are kept unless given)",
      collect,
    )
    .option(
      "--matrix <file>",
      "show this matrix document, a JSON document of assay matrix, besides those below .assay/matrix (repeatable)",
      collect,
    )
    .option(
      "--history <address>",
      "show the runs of this history too: sqlite:<file> or postgres://…, env:NAME or @file (default: .assay/history.db)",
    )
    .option("--json", "one JSON line when ready, nothing else (the default without a terminal)");
  addOptions(command, { allowSecrets, untrustedConfig })
    .addHelpText(
      "after",
      `
Examples:
  $ assay ui                                  the page on http://127.0.0.1:4070, opened in the browser
  $ assay ui --port 0 --no-open --json        any free port, one JSON line with address and token: for scripts
  $ assay ui --export site --run last         the same pages as a static site, to be read and nothing else

Whoever has the address that is printed, with its token, may use the page: test agents from this machine and read the runs below
.assay/runs. It listens on 127.0.0.1, and refuses other names and other pages. What can be asked of it by programs: docs/ui.md.
Stop it with Ctrl-C: tests that go on are ended properly.`,
    )
    .action(async (flags: UiFlags) => {
      const { exportThePage, serveThePage } = await import("../actions/ui.ts");
      done(
        await (flags.export === undefined ? serveThePage(flags, screen) : exportThePage(flags.export, flags, screen)),
      );
    });
};
