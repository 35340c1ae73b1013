// `npm run bench:server`: our test bed beside the JavaScript SDK and bare node:http, in one interleaved run.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { build, install, root } from "./steps.mjs";

install();
build();
const { status } = spawnSync(process.execPath, [join(root, "bench/dist/server.js")], { stdio: "inherit" });
process.exit(status ?? 1);
