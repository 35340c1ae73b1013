// `npm run soak`: the test bed under load for ten minutes on each store, and under abuse; `docs/soak.md` has the flags and what came of it.
// Without PostgreSQL its part is left out. Ends with the line `N passed, N failed`: a store, or an abuse, is one of them.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { postgresReady } from "./postgres.mjs";
import { build, install, root } from "./steps.mjs";

install();
build();
const server =
  postgresReady() &&
  spawn(process.execPath, [join(root, "scripts/postgres.mjs"), "--fsync"], { stdio: ["pipe", "pipe", "inherit"] });
const [address] = server ? await once(createInterface(server.stdout), "line") : [];
const soak = spawn(process.execPath, [join(root, "bench/dist/soak.js"), ...process.argv.slice(2)], {
  stdio: "inherit",
  env: { ...process.env, ...(address && { SOAK_POSTGRES: address }) },
});
const [code] = await once(soak, "close");
server?.stdin.end();
process.exitCode = code ?? 1;
