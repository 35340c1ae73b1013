// `npm start`: sets up everything that is missing, then runs the demo with the given options: `npm start -- --no-open`.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { build, install, root } from "./steps.mjs";

await install();
await build();
const { status } = spawnSync(
  process.execPath,
  [join(root, "packages/cli/bin/assay.js"), "demo", ...process.argv.slice(2)],
  { stdio: "inherit" },
);
process.exit(status ?? 1);
