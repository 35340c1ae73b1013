// Starts the single-file executable; `bin/assay.js` does the same for the package. It is bundled as CommonJS, so it cannot
// await at the top.
import { launch, launched } from "../../packages/cli/bin/launcher.js";
import { version } from "../../packages/library/src/version.ts";
import { defaultRuleSet } from "../../packages/suite/src/rules/rule-sets.ts";

/** The first argument of the second process, which the launcher starts. */
const supervised = "--supervised";

// Without a top-level await, a command that never settles would exit with 0.
process.exitCode = 3;
const args = process.argv.slice(2);
if (args.length === 1 && ["--version", "-v", "-V"].includes(args[0])) {
  process.stdout.write(`${version} (rules ${defaultRuleSet})\n`);
  process.exitCode = 0;
} else if (launched.has(args[0])) launch(args, [supervised]);
else if (args[0] === supervised) {
  process.once("disconnect", () => process.exit(137));
  start(args.slice(1), { isLinked: true });
} else start(args, { isLinked: false });

function start(words, { isLinked }) {
  void import("../../packages/cli/src/main.ts").then(({ linkToLauncher, runProcess }) => {
    if (isLinked) linkToLauncher();
    return runProcess(words);
  });
}
