// `npm run simulate:fleet`: a night of a million agents, in three parts. `queue`: the real queue at that size, on a Redis and a PostgreSQL of
// its own, with workers that do nothing (`-- queue --jobs 1000000` for the whole million, which takes a while). `ledger`: the real ledger
// (`-- ledger --verdicts 1000000`). `night`: the night itself, played in memory: hosts that are asked politely, agents that do not answer,
// retries. Without a name all three, each at a size that takes minutes.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { postgresReady } from "./postgres.mjs";
import { redisReady } from "./redis.mjs";
import { build, install, root } from "./steps.mjs";

install();
build();
const parts = { queue: "queue-at-size.js", ledger: "ledger-at-size.js", night: "night.js" };
const [named, ...args] = process.argv.slice(2);
if (named !== undefined && !(named in parts)) {
  process.stderr.write(`There is no part ${named}; there are ${Object.keys(parts).join(", ")}.\n`);
  process.exit(2);
}
const asked = named === undefined ? Object.keys(parts) : [named];

async function started(isThere, script) {
  if (!isThere) return undefined;
  const child = spawn(process.execPath, [join(root, "scripts", script), "--fsync"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [address] = await once(createInterface(child.stdout), "line");
  return { child, address };
}

const redis = asked.includes("queue") ? await started(redisReady(), "redis.mjs") : undefined;
const needsPostgres = asked.some((part) => part !== "night");
const postgres = needsPostgres ? await started(postgresReady(), "postgres.mjs") : undefined;
const env = {
  ...process.env,
  ...(redis && { BENCH_REDIS: redis.address }),
  ...(postgres && { BENCH_POSTGRES: postgres.address }),
};
for (const part of asked) {
  if (part === "ledger" && !postgres) continue;
  const { status } = spawnSync(process.execPath, [join(root, "bench/dist/fleet", parts[part]), ...args], {
    stdio: "inherit",
    env,
  });
  process.exitCode ||= status ?? 1;
}
for (const server of [redis, postgres]) server?.child.stdin.end();
