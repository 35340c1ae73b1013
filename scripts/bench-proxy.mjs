// `npm run bench:proxy`: the judging proxy beside a direct connection to the same agent, in one interleaved run.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { build, install, root } from "./steps.mjs";

install();
build();
const { status } = spawnSync(process.execPath, [join(root, "bench/dist/proxy.js"), ...process.argv.slice(2)], {
  stdio: "inherit",
});
process.exit(status ?? 1);
