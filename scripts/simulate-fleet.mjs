// `npm run simulate:fleet`: a night of a million agents, twice. First the real queue at that size, on a Redis and a PostgreSQL of its own,
// with workers that do nothing: `-- --jobs 1000000` for the whole million, which takes a while. Then the night itself, played in
// memory: hosts that are asked politely, agents that do not answer, retries. `-- --night` plays only that.
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
const onlyNight = given.includes("--night");
const args = given.filter((arg) => arg !== "--night");
const play = (script, env) =>
  spawnSync(process.execPath, [join(root, "bench/dist/fleet", script), ...args], {
    stdio: "inherit",
    env: { ...process.env, ...env },
  }).status;

async function started(isThere, script) {
  if (!isThere) return undefined;
  const child = spawn(process.execPath, [join(root, "scripts", script), "--fsync"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [address] = await once(createInterface(child.stdout), "line");
  return { child, address };
}

let code = 0;
if (!onlyNight) {
  const redis = await started(redisReady(), "redis.mjs");
  const postgres = await started(postgresReady(), "postgres.mjs");
  const env = {
    ...(redis && { BENCH_REDIS: redis.address }),
    ...(postgres && { BENCH_POSTGRES: postgres.address }),
  };
  code = play("queue-at-size.js", env);
  for (const server of [redis, postgres]) server?.child.stdin.end();
}
process.exitCode = code || (onlyNight || args.length === 0 ? play("night.js", {}) : 0);
