// `npm test [-- <arguments of vitest>]`: sets up what is missing, then runs every check and every test, and counts them.
// Ends with the line `N passed, N failed`. In CI on Linux a missing tool is a failure, never a skip.
import { build, install, lint } from "./steps.mjs";
import { toolsReady } from "./tools.mjs";
import { conclude, runTests, sumOf } from "./vitest.mjs";

const tools = toolsReady(["actionlint", "browser", "nginx", "postgres", "redis", "shells"]);
await install();
// Tests often wait for responses, so lint runs at the same time.
const linted = lint();
await Promise.all([build(), tools]);
const tests = await runTests("testing", process.argv.slice(2));
conclude(sumOf([tests, await linted]));
