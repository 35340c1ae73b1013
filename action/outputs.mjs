import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The worst first. */
const outcomes = ["not-conformant", "inconclusive", "conformant"];
const levels = ["non-conformant", "minimal", "partial", "full"];
const counts = ["passed", "failed", "expected", "warnings", "examined", "applicable"];

/** What the step says of the runs whose reports are in the folder: of one agent, or of several together. */
export function outputsOf(folder, exitCode) {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .sort();
  const found = files.map((file) => JSON.parse(readFileSync(join(folder, file), "utf8")));
  const worst = (order, values) => order.find((each) => values.includes(each)) ?? "";
  const reached = found.map(({ conformanceLevel }) => conformanceLevel);
  return {
    outcome: worst(
      outcomes,
      found.map(({ outcome }) => outcome),
    ),
    // Where one of them has no level, there is none for all.
    level: reached.includes(null) ? "" : worst(levels, reached),
    "exit-code": String(exitCode),
    ...Object.fromEntries(
      counts.map((name) => [name, String(found.reduce((sum, { summary }) => sum + summary[name], 0))]),
    ),
    report: files[0] === undefined ? "" : join(folder, files[0]),
    reports: folder,
  };
}
