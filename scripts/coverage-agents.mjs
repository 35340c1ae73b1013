// `npm run coverage:agents`: how much of what concerns an agent is examined without configuration, for eight kinds of it.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { build, install, root } from "./steps.mjs";

install();
build();
const main = join(root, "bench/dist/coverage.js");
const { status } = spawnSync(process.execPath, [main, ...process.argv.slice(2)], { stdio: "inherit" });
process.exit(status ?? 1);
