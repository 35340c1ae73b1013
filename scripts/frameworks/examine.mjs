// Starts the server of a framework on a free port, runs `assay test` on it, and stops it.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { root } from "../steps.mjs";
import { filled } from "./describe.mjs";

const assay = join(root, "packages/cli/bin/assay.js");

/** Importing a framework with hundreds of modules is slow. */
const startMs = 90_000;

/** Returns the report of `assay test --depth full` on this framework. Its model takes `think` seconds. */
export async function examine(framework, think, options = []) {
  const places = { port: await freePort(), think };
  const [command, ...args] = framework.start.map((text) => filled(text, places));
  const server = spawn(command, args, { cwd: root, stdio: ["ignore", "ignore", "pipe"], env: offline });
  const told = tail(server.stderr);
  try {
    const card = filled(framework.card, places);
    await answers(card, server, told);
    return await reportOn(card, options);
  } finally {
    await stop(server);
  }
}

/** Turns off the telemetry of the frameworks, so that test traffic stays on this machine. */
const offline = {
  ...process.env,
  DO_NOT_TRACK: "1",
  MASTRA_TELEMETRY_DISABLED: "1",
  OTEL_SDK_DISABLED: "true",
  VOLTAGENT_TELEMETRY_DISABLED: "1",
};

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/** Keeps the last output of a process, for the error if it ends. */
function tail(stream) {
  let text = "";
  stream.setEncoding("utf8");
  stream.on("data", (more) => {
    text = (text + more).slice(-4000);
  });
  return () => text;
}

async function answers(card, server, told) {
  const deadline = Date.now() + startMs;
  while (Date.now() < deadline) {
    if (server.exitCode !== null) throw new Error(`the server ended with exit code ${server.exitCode}:\n${told()}`);
    const isThere = await fetch(card).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isThere) return;
    await sleep(200);
  }
  throw new Error(`no card at ${card} after ${startMs / 1000} s:\n${told()}`);
}

async function reportOn(card, options) {
  const folder = mkdtempSync(join(tmpdir(), "assay-framework-"));
  const file = join(folder, "report.json");
  try {
    const args = [assay, "test", card, "--depth", "full", "--report", `json=${file}`, ...options];
    // Run the test asynchronously, because the server's pipe must be read meanwhile. A full pipe would block the
    // server.
    const test = spawn(process.execPath, args, { cwd: root, stdio: "inherit" });
    await new Promise((resolve) => test.once("close", resolve));
    return JSON.parse(readFileSync(file, "utf8"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function stop(server) {
  if (server.exitCode !== null) return;
  const ended = new Promise((resolve) => server.once("exit", resolve));
  server.kill("SIGTERM");
  const isOver = await Promise.race([ended.then(() => true), sleep(5000, false)]);
  if (!isOver) server.kill("SIGKILL");
  await ended;
}
