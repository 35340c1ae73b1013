// The number of runs of each property test that does not name its own: a sample in `npm test`, more in `npm run prove`.
import fc from "fast-check";

fc.configureGlobal({ numRuns: process.env.ASSAY_PROVE === "all" ? 300 : 10 });
