// `npm run record [-- <file> -t <name>]`: runs the proof of the suite, all of it or these tests, and keeps what its judges
// read where that shows something new: packages/suite/recordings. What a recording no longer says is removed first.
import { bin, install, run } from "./steps.mjs";

install();
const asked = process.argv.slice(2);
const tests = asked.length > 0 ? asked : ["e2e/proof"];
run("recording", bin("vitest"), ["run", "--config", "e2e/recorder/vitest.config.ts", ...tests], {
  env: { ASSAY_PROVE: "all" },
});
