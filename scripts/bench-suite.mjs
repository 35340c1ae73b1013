// `npm run bench:suite`: what a conformance run costs, at every depth, and what rendering its report takes.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { build, install, root } from "./steps.mjs";

install();
build();
const { status } = spawnSync(process.execPath, [join(root, "bench/dist/suite.js")], { stdio: "inherit" });
process.exit(status ?? 1);
