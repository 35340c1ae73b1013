import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** An `assay serve` in a separate process. */
export interface Served {
  /** without a trailing slash */
  readonly url: string;
  /** the output on stderr */
  errors(): string;
  /** Kills the process, like a power cut. */
  kill(): Promise<void>;
  /** Stops the process and waits for its end. */
  stop(): Promise<void>;
}

/** Starts a server on a store, and waits until it is ready. */
export async function serveOn(store: string, ...flags: readonly string[]): Promise<Served> {
  const child = spawn(
    process.execPath,
    // Pass the address in the environment, as an address with a password requires.
    ["packages/cli/bin/command.js", "serve", "--port", "0", "--json", "--store", "env:E2E_STORE", ...flags],
    { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, E2E_STORE: store } },
  );
  const endWithUs = () => child.kill("SIGKILL");
  process.once("exit", endWithUs);
  child.once("close", () => process.off("exit", endWithUs));
  const errors: string[] = [];
  child.stderr.setEncoding("utf8").on("data", (text: string) => errors.push(text));
  const { url } = JSON.parse(await firstLine(child, errors)) as { url: string };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, "close");
    child.kill(signal);
    await closed;
  };
  return { url, errors: () => errors.join(""), kill: () => end("SIGKILL"), stop: () => end("SIGTERM") };
}

async function firstLine(child: ChildProcess, errors: readonly string[]): Promise<string> {
  const lines = createInterface(child.stdout!);
  for await (const line of lines) return line;
  throw new Error(`assay serve ended before it was ready: ${errors.join("")}`);
}
