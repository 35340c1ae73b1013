// `npm run check`: lint, prose, dead code, types and unit tests. It runs everything that needs no second process.
import { tellMissingShells } from "./shells.mjs";
import { build, install, lint } from "./steps.mjs";
import { conclude, runTests, sumOf } from "./vitest.mjs";

tellMissingShells(false);
await install();
const linted = lint();
await build();
const tests = await runTests("testing units", ["packages", "scripts"]);
conclude(sumOf([tests, await linted]));
