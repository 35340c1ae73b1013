// `npm run bench:stores`: our test bed on SQLite and PostgreSQL beside itself in memory and beside the JavaScript SDK with its own stores,
// in turns; then what reading costs at up to a million tasks. Arguments go to the first of the two (`--only task-lifecycle`); without
// PostgreSQL its rows are left out. `--throughput` plays the first alone.
import { spawn, spawnSync } from "node:child_process";
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
const env = { ...process.env, ...(address && { BENCH_POSTGRES: address }) };
const play = (script, ...args) =>
  spawnSync(process.execPath, [join(root, "bench/dist", script), ...args], { stdio: "inherit", env }).status;
const args = process.argv.slice(2).filter((arg) => arg !== "--throughput");
const codes = [play("server.js", "--stores", ...args)];
if (!process.argv.includes("--throughput")) codes.push(play("store-growth.js"));
server?.stdin.end();
process.exitCode = codes.find((code) => code !== 0) ?? 0;
