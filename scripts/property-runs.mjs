// The number of runs of each property test that does not name its own: a sample in `npm test`, more in `npm run prove`.
// The seed is fixed, so one commit always gives one result. ASSAY_FUZZ_SEED=<number> tries other values.
import fc from "fast-check";

fc.configureGlobal({
  numRuns: process.env.ASSAY_PROVE === "all" ? 300 : 10,
  seed: Number(process.env.ASSAY_FUZZ_SEED ?? 1) | 0,
});
