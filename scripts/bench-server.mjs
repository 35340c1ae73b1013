// `npm run bench:server`: our test bed beside the JavaScript SDK, grpc-js and bare node:http, in one interleaved run.
// The package is made first: how fast it starts is part of what is measured.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "./steps.mjs";

for (const script of ["scripts/pack.mjs", "bench/dist/server.js"]) {
  const { status } = spawnSync(process.execPath, [join(root, script), ...argumentsOf(script)], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

function argumentsOf(script) {
  return script.startsWith("bench/") ? process.argv.slice(2) : [];
}
