// `npm run bench:fleet`: agents in a minute with one, two and four workers, and what one agent costs. Needs PostgreSQL; the queue is on
// Redis where there is one. Arguments go to the benchmark: `-- --agents 200 --workers 1,2,4 --concurrency 2`, and `--on postgres` puts the queue there.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { postgresReady } from "./postgres.mjs";
import { redisReady } from "./redis.mjs";
import { build, install, root } from "./steps.mjs";

install();
build();
const given = process.argv.slice(2);
const on = given.indexOf("--on");
const onPostgres = on >= 0 && given[on + 1] === "postgres";
const args = on >= 0 ? given.toSpliced(on, 2) : given;
const servers = [
  ...(postgresReady() ? [["BENCH_POSTGRES", "postgres.mjs"]] : []),
  ...(!onPostgres && redisReady() ? [["BENCH_REDIS", "redis.mjs"]] : []),
];
const children = [];
const env = { ...process.env };
for (const [name, script] of servers) {
  const child = spawn(process.execPath, [join(root, "scripts", script), "--fsync"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  children.push(child);
  [env[name]] = await once(createInterface(child.stdout), "line");
}
if (env.BENCH_POSTGRES)
  process.exitCode = spawnSync(process.execPath, [join(root, "bench/dist/fleet/throughput.js"), ...args], {
    stdio: "inherit",
    env,
  }).status;
for (const child of children) child.stdin.end();
