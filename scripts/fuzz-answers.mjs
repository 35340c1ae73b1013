// `npm run fuzz:answers -- --answers 100000 --seed 1`: the tester against so many malformed answers (cards, envelopes,
// streams, gRPC frames). Without a seed, one is chosen and printed; `--round` begins with the round that a failure names.
// Ends with the line `N passed, N failed`, as `npm test` does.
import { parseArgs } from "node:util";
import { build, install } from "./steps.mjs";
import { conclude, runTests } from "./vitest.mjs";

const { values } = parseArgs({
  options: {
    answers: { type: "string", default: "100000" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 32)) },
    round: { type: "string", default: "0" },
  },
});
for (const [flag, value] of Object.entries(values))
  if (!/^\d+$/.test(value)) throw new Error(`--${flag} ${value}: a whole number is wanted.`);

install();
build();
const title = `fuzzing the tester with ${values.answers} answers, seed ${values.seed}`;
const env = {
  ASSAY_FUZZ_ANSWERS: values.answers,
  ASSAY_FUZZ_SEED: values.seed,
  ASSAY_FUZZ_ROUND: values.round,
};
conclude(runTests(title, { files: ["e2e/fuzz/answers.test.ts"], env }));
