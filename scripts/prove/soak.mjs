import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { root } from "../steps.mjs";
import { withServers } from "../tools.mjs";

const short = { SOAK_MINUTES: "0.25", SOAK_STREAMS: "200", SOAK_SUBSCRIBERS: "100", SOAK_ABUSE_SECONDS: "2" };

/**
 * Runs the soak test of docs/soak.md. Each store and each abuse counts as one test. Without PostgreSQL, its part is
 * skipped.
 */
export const soak = (_title, { args, isShort }) =>
  withServers(["postgres"], async (servers) => {
    const child = spawn(process.execPath, [join(root, "bench/dist/soak.js"), ...args], {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...(isShort && short), ...process.env, ...servers },
    });
    const ended = once(child, "close");
    let [passed, failed] = [0, 0];
    for await (const line of createInterface(child.stdout)) {
      const counts = /^(\d+) passed, (\d+) failed$/.exec(line);
      if (counts) [passed, failed] = counts.slice(1).map(Number);
      else process.stdout.write(`${line}\n`);
    }
    const [code] = await ended;
    // A program that fails without a count still counts as a failure.
    if (code !== 0) failed ||= 1;
    const failing = Array.from({ length: failed }, () => ({ file: "bench/src/soak.ts", message: "see above" }));
    return { passed, files: [], failing };
  });
