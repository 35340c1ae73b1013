// `npm run bench:suite`: what a conformance run costs on agents that are ours and that are not, and what rendering its report takes.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { build, install, root } from "./steps.mjs";

install();
build();
const { status } = spawnSync(process.execPath, [join(root, "bench/dist/suite.js"), ...process.argv.slice(2)], {
  stdio: "inherit",
});
process.exit(status ?? 1);
