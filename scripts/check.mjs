// `npm run check`: everything that needs no second process, under a minute. Part of `npm test`.
import { bin, build, install, run } from "./steps.mjs";

install();
run("linting", bin("biome"), ["ci", "."], { quiet: true });
run("checking prose", process.execPath, ["scripts/prose.mjs"], { quiet: true });
build();
run("looking for dead code", bin("knip"), [], { quiet: true });
run("unit tests", bin("vitest"), ["run", "packages", "scripts"]);
