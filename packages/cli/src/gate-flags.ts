import { failOnChoices, type Gates, requirableLevels } from "@assay/suite/report";
import { type Command, Option } from "commander";
import { percent } from "./flag-values.ts";

/** The flags of every command whose exit code says how a test went. */
export interface GateFlags extends Omit<Gates, "staleBaseline"> {
  readonly baseline?: string;
  readonly baselineUpdate?: boolean;
}

export const addGateFlags = (command: Command): Command =>
  command
    .option("--baseline <file>", "failures that are known and do not count")
    .option("--baseline-update", "write the failures of this run to the baseline (assay-baseline.yaml unless named)")
    .addOption(
      new Option(
        "--fail-on <what>",
        "what makes the exit code 1 besides a broken MUST; never: nothing does (must unless given)",
      ).choices(failOnChoices),
    )
    .addOption(
      new Option("--require-level <level>", "the exit code is 1 below this level of conformance").choices(
        requirableLevels,
      ),
    )
    .option("--min-examined <percent>", "the exit code is 1 when fewer of the rules that apply were examined", percent);
