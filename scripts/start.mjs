// `npm start`: sets up what is missing, then shows the built-in agents at work.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { build, install, root } from "./steps.mjs";

await install();
await build();
const { status } = spawnSync(process.execPath, [join(root, "packages/cli/bin/assay.js"), "demo"], { stdio: "inherit" });
process.exit(status ?? 1);
