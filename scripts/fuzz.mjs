// `npm run fuzz`: a million malformed requests over all bindings and versions; `npm run fuzz -- 50000` sends fewer. Ends with
// a line that sums up, then `N passed, N failed`. ASSAY_FUZZ_SEED=<seed> sends the same ones again.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, install } from "./steps.mjs";
import { conclude, runTests } from "./vitest.mjs";

const requests = Number(process.argv[2] ?? 1_000_000);
if (!(requests > 0)) throw new Error(`${process.argv[2]} is no number of requests.`);
const seed = process.env.ASSAY_FUZZ_SEED ?? String(Math.floor(Math.random() * 2 ** 32));
const folder = mkdtempSync(join(tmpdir(), "assay-fuzz-"));
const tally = join(folder, "tally.ndjson");
install();
build();
const begun = Date.now();
const env = { ASSAY_FUZZ_REQUESTS: String(requests), ASSAY_FUZZ_SEED: seed, ASSAY_FUZZ_TALLY: tally };
const files = ["e2e/fuzz/requests.test.ts", "e2e/fuzz/grpc.test.ts", "e2e/fuzz/older.test.ts"];
const result = runTests(`sending ${requests} malformed requests`, { files, env });
const seconds = (Date.now() - begun) / 1000;
const wires = linesOf(tally).map((line) => JSON.parse(line));
const sum = (of) => wires.reduce((total, each) => total + each[of], 0);
process.stdout.write(
  `fuzz: ${sum("sent")} requests on ${wires.length} wires, ${sum("refused")} refused, in ${(seconds / 60).toFixed(1)} min ` +
    `(${Math.round(sum("sent") / seconds)}/s), ASSAY_FUZZ_SEED=${seed}\n`,
);
rmSync(folder, { recursive: true, force: true });
conclude(result);

/** Nothing, where no wire got as far as that. */
function linesOf(file) {
  try {
    return readFileSync(file, "utf8").trim().split("\n");
  } catch {
    return [];
  }
}
