import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Reporters, Run } from "@assay/reporters";
import type { Screen } from "../terminal/screen.ts";

/**
 * Saves a run whose report could not be written and that has no recording. It writes a temporary file, from which every
 * report can be made. If that fails too, it prints the run to stderr.
 */
export function rescue(
  run: Run,
  reporters: Reporters,
  { complain }: Pick<Screen, "complain">,
  folder = tmpdir(),
): void {
  try {
    const file = join(mkdtempSync(join(folder, "assay-")), `${run.report.run}.ndjson`);
    writeFileSync(file, reporters.ndjson(run), { mode: 0o600 });
    complain(`The run is saved in ${file}. Write reports from it: assay report ${file} --report junit=<file>`);
  } catch {
    complain(`Cannot save it in ${folder} either. The report follows as JSON.`);
    complain(reporters.json(run));
  }
}
