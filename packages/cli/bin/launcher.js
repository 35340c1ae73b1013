import { spawn } from "node:child_process";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";

/** These commands catch signals. When the main thread is stuck, only another process can end them. */
export const launched = new Set([
  ...["test", "forecast", "gate", "client", "ui", "demo", "acts", "replay"],
  ...["serve", "proxy", "gateway", "upgrade", "mcp"],
  ...["send", "get", "list", "cancel", "subscribe", "push"],
  ...["fleet", "worker", "matrix", "interop"],
]);

/** How much longer than its own deadline a command may take before it is killed. */
const reserveMs = 2_000;

/**
 * Runs the command in another process, which shares this terminal, and kills it if it does not end after a signal.
 * `program` are the words that start the other process: a script, or a flag of the single-file executable.
 */
export function launch(args, program = [fileURLToPath(new URL("supervised.js", import.meta.url))]) {
  const child = spawn(process.execPath, [...process.execArgv, ...program, ...args], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });
  let timeout = 5;
  let requests = 0;
  let killedAfter;
  let timer;
  child.on("message", (told) => {
    timeout = told.timeout;
  });
  const kill = (signal) => {
    killedAfter = signal;
    child.kill("SIGKILL");
    process.stderr.write(
      `assay: the command does not respond to ${signal}, so Assay killed it. Nothing was cleaned up: tasks on the agent and processes that the command started may still run.\n`,
    );
  };
  const stop = (signal) => {
    requests += 1;
    // The callback takes the error of a command that has just ended.
    if (child.connected) child.send({ signal }, () => {});
    clearTimeout(timer);
    timer = setTimeout(kill, (requests === 1 ? timeout * 1_000 : 0) + reserveMs, signal);
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  child.once("error", (error) => {
    process.stderr.write(`assay: cannot start ${process.execPath}: ${error.message}\n`);
    process.exit(3);
  });
  child.once("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[killedAfter ?? signal]));
}
