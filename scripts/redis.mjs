// Redis for the tests of queues, like scripts/postgres.mjs. As root on Debian and its derivatives it installs Redis.
// Elsewhere it prints the command; in CI on Linux that is a failure. `node scripts/redis.mjs` starts a server with a
// password in a temporary folder, on a free port and as an unprivileged user. The server writes every command to a file
// before it responds, except with `--no-file`. It stops when stdin ends; `--look` only prints the path of the program.
import { spawn, spawnSync } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { aptInstall } from "./apt.mjs";
import { missingTool } from "./missing-tool.mjs";
import { freePort, keep, ownFolder } from "./own-server.mjs";

/** Installs Redis if it is missing. Ends the process if it is required and cannot be installed. */
export async function redisReady() {
  const program = found() ?? ((await aptInstall("Redis", "redis-server")) ? found() : undefined);
  if (program !== undefined) return program;
  missingTool(
    "There is no Redis. Install it (Debian, Ubuntu: apt install redis-server).",
    "The tests of queues on Redis are skipped.",
  );
  return undefined;
}

function found() {
  return spawnSync("redis-server", ["--version"]).status === 0 ? "redis-server" : undefined;
}

/** A password that no message may repeat. */
const password = "s3cret-of-the-queue";

async function serve(program) {
  const { folder, as } = ownFolder("redis");
  const port = await freePort();
  const settings = {
    port,
    bind: "127.0.0.1",
    dir: folder,
    requirepass: password,
    appendonly: process.argv.includes("--no-file") ? "no" : "yes",
    appendfsync: process.argv.includes("--fsync") ? "everysec" : "no",
    save: "",
    "maxmemory-policy": "noeviction",
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const start = async () => {
    const server = spawn(program, args, { ...as, stdio: ["ignore", "pipe", "ignore"] });
    let isReady = false;
    server.stdout.setEncoding("utf8").on("data", (text) => {
      isReady ||= text.includes("Ready to accept connections");
    });
    while (server.exitCode === null && !isReady) await pause(20);
    return server;
  };
  const address = `redis://:${password}@127.0.0.1:${port}`;
  await keep({ folder, address, start, crash: "SIGKILL", end: "SIGKILL" });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const program = await redisReady();
  if (program && process.argv.includes("--look")) process.stdout.write(`${program}\n`);
  else if (program) await serve(program);
}
