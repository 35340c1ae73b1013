import { atLeastOne, bindings, collect, dialects, factor, list, mebibytes } from "../flag-values.ts";
import type { AddCommand } from "./command.ts";

export interface MatrixFlags {
  readonly drivers?: string;
  readonly scenarios?: string;
  readonly client?: string[];
  readonly server?: string[];
  readonly binding?: ("JSONRPC" | "HTTP+JSON" | "GRPC")[];
  readonly dialect?: string[];
  readonly scenario?: string[];
  readonly sdk?: string;
  readonly setup?: boolean;
  readonly checkDriver?: string;
  readonly jobs?: number;
  readonly spareMemory: number;
  readonly timeScale: number;
  /** false with --no-chain */
  readonly chain: boolean;
  readonly resume?: string | true;
  readonly before?: string;
  readonly report?: string[];
  readonly list?: boolean;
}

export const addMatrix: AddCommand = (program, screen, done) => {
  program
    .command("matrix")
    .description(
      "Which client works with which server: every SDK against every other, over every binding, and whose fault it is.",
    )
    .option("--setup", "install every driver with the tool of its language, and say what could not be")
    .option("--check-driver <folder>", "start one driver, ask it everything, and say what is missing")
    .option("--sdk <folder>", "your own driver against all the others: what to run on a change of an SDK")
    .option("--client <name>", "only these clients (repeatable, or a,b)", list)
    .option("--server <name>", "only these servers", list)
    .option("--binding <name>", "only JSONRPC, HTTP+JSON or GRPC (repeatable)", bindings)
    .option("--dialect <version>", "only this protocol version, 1.0 or 0.3 (repeatable)", dialects)
    .option("--scenario <id>", "only these scenarios; * stands for anything (repeatable, or a,b)", list)
    .option("--list", "show what would be run, and run nothing")
    .option("--jobs <n>", "pairs of client and server at the same time (twice the cores unless given)", atLeastOne)
    .option("--spare-memory <MiB>", "begin no further pair while less memory than this is free", mebibytes, 500)
    .option("--time-scale <factor>", "scale every delay of the skills: 0.1 makes them ten times faster", factor, 0.2)
    .option("--no-chain", "leave out the instruction that is relayed from server to server")
    .option("--resume [file]", "go on with a matrix that was cut off (the newest below .assay/matrix unless given)")
    .option(
      "--report <format[=place]>",
      "json or markdown, to a file or the output; site, to a folder (repeatable)",
      collect,
    )
    .option("--before <file>", "compare with an earlier matrix, a JSON document of this command (also .json.gz)")
    .option("--drivers <folder>", "where the drivers are (sdks of this project unless given)")
    .option("--scenarios <file>", "what they talk about (acceptance.yaml of this project unless given)")
    .addHelpText(
      "after",
      `
Examples:
  $ assay matrix --setup                                            install all drivers, once
  $ assay matrix --report site=matrix --report json=matrix.json     pages in a folder: open matrix/index.html
  $ assay matrix --client a2a-js,a2a-python --server a2a-go --binding GRPC
  $ assay matrix --check-driver sdks/a2a-go                         while you write a driver (docs/drivers.md)
  $ assay matrix --sdk ../my-sdk/driver --before matrix.json.gz   on a pull request
  $ assay matrix --resume                                           after Ctrl-C

Exit codes: 0 everything that could be tried works, or its failure is known · 1 something fails that is not known, or a known failure
is gone · 2 wrong usage, or nothing could be run · 3 our own error, or a report that cannot be written · 130 interrupted`,
    )
    .action(async (flags: MatrixFlags) => {
      const { runMatrixCommand } = await import("../actions/matrix.ts");
      done(await runMatrixCommand(flags, screen));
    });
};
