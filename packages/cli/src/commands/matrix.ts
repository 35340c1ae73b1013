import { atLeastOne, bindings, collect, dialects, factor, list, mebibytes } from "../flag-values.ts";
import { declare, type FlagsOf } from "./command.ts";

const flags = [
  ["--setup", "install every driver with the tool of its language, and say what could not be"],
  ["--check-driver <folder>", "start one driver, ask it everything, and say what is missing"],
  ["--sdk <folder>", "your own driver against all the others: what to run on a change of an SDK"],
  ["--client <name>", "only these clients (repeatable, or a,b)", list],
  ["--server <name>", "only these servers", list],
  ["--binding <name>", "only JSONRPC, HTTP+JSON or GRPC (repeatable)", bindings],
  ["--dialect <version>", "only this protocol version, 1.0 or 0.3 (repeatable)", dialects],
  ["--scenario <id>", "only these scenarios; * stands for anything (repeatable, or a,b)", list],
  ["--list", "show what would be run, and run nothing"],
  ["--jobs <n>", "pairs of client and server at the same time (twice the cores unless given)", atLeastOne],
  ["--spare-memory <MiB>", "begin no further pair while less memory than this is free", mebibytes, 500],
  ["--time-scale <factor>", "scale every delay of the skills: 0.1 makes them ten times faster", factor, 0.2],
  ["--no-chain", "leave out the instruction that is relayed from server to server"],
  ["--resume [file]", "go on with a matrix that was cut off (the newest below .assay/matrix unless given)"],
  ["--report <format[=place]>", "json or markdown, to a file or the output; site, to a folder (repeatable)", collect],
  ["--before <file>", "compare with an earlier matrix, a JSON document of this command (also .json.gz)"],
  ["--drivers <folder>", "where the drivers are (sdks of this project unless given)"],
  ["--scenarios <file>", "what they talk about (acceptance.yaml of this project unless given)"],
] as const;
export type MatrixFlags = FlagsOf<typeof flags>;

export const addMatrix = declare({
  name: "matrix",
  does: "Which client works with which server: every SDK against every other, over every binding, and whose fault it is.",
  flags,
  help: `
Examples:
  $ assay matrix --setup                                            install all drivers, once
  $ assay matrix --report site=matrix --report json=matrix.json     pages in a folder: open matrix/index.html
  $ assay matrix --client a2a-js,a2a-python --server a2a-go --binding GRPC
  $ assay matrix --check-driver sdks/a2a-go                         while you write a driver (docs/drivers.md)
  $ assay matrix --sdk ../my-sdk/driver --before matrix.json.gz   on a pull request
  $ assay matrix --resume                                           after Ctrl-C

Exit codes: 0 everything that could be tried works, or its failure is known · 1 something fails that is not known, or a known failure
is gone · 2 wrong usage, or nothing could be run · 3 our own error, or a report that cannot be written · 130 interrupted`,
  action: async () => (await import("../actions/matrix.ts")).runMatrixCommand,
});
