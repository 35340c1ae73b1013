// `npm run prove`: the whole proof of the suite. Every check on every good agent, every mutant on every binding, every
// variant, and the moody agent under ten seeds. `npm test` walks each mutant once, wherever it shows.
import { bin, build, install, run } from "./steps.mjs";

install();
build();
const proven = run("proving every check", bin("vitest"), ["run", "e2e/proof", "e2e/acts/acceptance.test.ts"], {
  mayFail: true,
  env: { ASSAY_PROVE: "all" },
});
process.exit(proven ? 0 : 1);
