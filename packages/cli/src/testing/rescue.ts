import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Reporters, Run } from "@assay/reporters";
import type { Screen } from "../terminal/screen.ts";

/**
 * Keeps a run that is recorded nowhere and whose report could not be written: in a temporary file from which every
 * report can be made, and where not even that can be written, on the error output.
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
    complain(
      `Nothing is lost: the run is in ${file}; assay report ${file} --report junit=<place> makes reports of it.`,
    );
  } catch {
    complain(`It could not be kept in ${folder} either; the report as JSON follows.`);
    complain(reporters.json(run));
  }
}
