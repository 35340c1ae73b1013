import { testOptions } from "@assay/suite/options";
import { atLeastOne, bindings, collect, dialects, factor, list, mebibytes } from "../flag-values.ts";
import { declare, type FlagsOf } from "./command.ts";

const { shutdownTimeout } = testOptions;

const flags = [
  "Drivers",
  ["--setup", "install every driver with the tools of its language, and list those that failed"],
  ["--init-driver [folder]", "write a driver to start from: a client in JavaScript (default folder: my-sdk)"],
  ["--check-driver <folder>", "start one driver, try everything, and list what is missing"],
  ["--sdk <folder>", "run your own driver against all others, for example on a change of an SDK"],
  ["--drivers <folder>", "folder of the drivers (default: sdks of this project)"],
  "Selection",
  ["--client <name>", "run only these clients (repeatable, or a,b)", list],
  ["--server <name>", "run only these servers (repeatable, or a,b)", list],
  ["--binding <name>", "run only this binding: JSONRPC, HTTP+JSON or GRPC (repeatable)", bindings],
  ["--dialect <version>", "run only this protocol version: 1.0 or 0.3 (repeatable)", dialects],
  ["--scenario <id>", "run only these scenarios; * is a wildcard (repeatable, or a,b)", list],
  ["--scenarios <file>", "file of scenarios (default: acceptance.yaml of this project)"],
  ["--no-chain", "skip the instruction that is relayed from server to server"],
  ["--list", "list what would run, and stop"],
  "Run control",
  ["--jobs <n>", "client-server pairs to run at a time (default: twice the number of cores)", atLeastOne],
  ["--spare-memory <MiB>", "start no further pair while less memory than this is free", mebibytes, 500],
  ["--time-scale <factor>", "scale every delay of the skills; 0.1 makes them ten times faster (default: 0.2)", factor],
  [
    "--resume [file]",
    "continue an interrupted matrix with its drivers, scenarios, filters and time scale (default: the newest in .assay/matrix)",
  ],
  {
    shutdownTimeout: {
      ...shutdownTimeout,
      means: "after SIGTERM or Ctrl-C: time to end the drivers and write reports before Assay exits",
    },
  },
  "Output",
  [
    "--report <format[=place]>",
    "write a report: json or markdown, to a file or to stdout; site, to a folder (repeatable)",
    collect,
  ],
  ["--before <file>", "compare with an earlier matrix: its JSON report (.json or .json.gz)"],
] as const;
export type MatrixFlags = FlagsOf<typeof flags>;

export const addMatrix = declare("matrix", {
  group: "many",
  does: "Test every SDK client against every SDK server.",
  flags,
  examples: [
    ["assay matrix --setup", "install all drivers, once"],
    ["assay matrix --report site=matrix", "write a site: open matrix/index.html"],
    ["assay matrix --client a2a-js,a2a-python --server a2a-go --binding GRPC", "run a part of it"],
    ["assay matrix --init-driver my-sdk", "write a driver to start from"],
    ["assay matrix --check-driver sdks/a2a-go", "check a driver you write (docs/drivers.md)"],
    ["assay matrix --sdk ../my-sdk/driver --before matrix.json.gz", "test a pull request"],
    ["assay matrix --resume", "continue after Ctrl-C"],
  ],
  notes: ["Assay runs every pair over every binding. For each failure it says which side is at fault."],
  exitCodes: {
    0: "everything that could run works, or its failure is known",
    1: "there is an unknown failure, or a known failure is fixed",
    2: "wrong usage, or nothing could run",
    3: "internal error, or a report could not be written",
    130: "interrupted",
  },
  action: async () => (await import("../actions/matrix.ts")).runMatrixCommand,
});
