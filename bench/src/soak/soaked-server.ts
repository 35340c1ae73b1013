import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** The resources that a process uses. */
export interface Usage {
  /** heap in use after a garbage collection, in MB */
  readonly heap: number;
  /** resident memory in MB */
  readonly resident: number;
  /** processor seconds since the start */
  readonly cpu: number;
}

/** An `assay serve` in a separate process that reports its memory. */
export interface SoakedServer {
  /** without a trailing slash */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  usage(): Promise<Usage>;
  /** Returns a gauge of /metrics. */
  gauge(name: string): Promise<number>;
  /** Returns the server's output on stderr. */
  complaints(): string;
  /** Returns the reason if the server ended by itself. */
  ended(): string | undefined;
  stop(): Promise<void>;
}

/** The measurements of `memory-gauge.ts`. */
interface Taken {
  readonly heapUsed: number;
  readonly rss: number;
  readonly cpuMicroseconds: number;
}

/** The measurements of a server that has ended. */
const unknown: Taken = { heapUsed: Number.NaN, rss: Number.NaN, cpuMicroseconds: Number.NaN };

const MB = 1e6;
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Starts the command that users run, on a store. */
export async function startSoakedServer(store: string, flags: readonly string[]): Promise<SoakedServer> {
  const node = ["--expose-gc", `--import=${new URL("./memory-gauge.js", import.meta.url)}`];
  const assay = [here("../../../packages/cli/bin/command.js"), "serve", "--port", "0", "--json", "--root", "full"];
  // The address may contain a password, so pass it in a variable.
  const named = store === "memory" ? store : "env:SOAK_STORE";
  const child = spawn(process.execPath, [...node, ...assay, "--store", named, ...flags], {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    env: { ...process.env, SOAK_STORE: store },
  });
  const endWithUs = (): boolean => child.kill("SIGKILL");
  process.once("exit", endWithUs);
  let complaints = "";
  child.stderr!.setEncoding("utf8").on("data", (text: string) => {
    complaints = (complaints + text).slice(0, 20_000);
  });
  let ended: string | undefined;
  let isStopping = false;
  const gone = new AbortController();
  child.once("close", (code, signal) => {
    process.off("exit", endWithUs);
    gone.abort();
    if (!isStopping) ended = `it ended with ${signal ?? code}: ${complaints.slice(-500)}`;
  });
  const first = await Promise.race([
    once(createInterface(child.stdout!), "line"),
    once(child, "close").then(() => Promise.reject(new Error(`assay serve did not start: ${complaints}`))),
  ]);
  const { url, port, pid } = JSON.parse(first[0] as string) as { url: string; port: number; pid: number };
  return {
    url,
    port,
    pid,
    async usage() {
      const answer = once(child, "message", { signal: gone.signal }) as Promise<[Taken]>;
      if (child.connected) child.send("usage");
      const [taken] = await answer.catch(() => [unknown]);
      return { heap: taken.heapUsed / MB, resident: taken.rss / MB, cpu: taken.cpuMicroseconds / 1e6 };
    },
    async gauge(name) {
      const response = await fetch(`${url}/metrics`).catch(() => undefined);
      const text = (await response?.text()) ?? "";
      return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
    },
    complaints: () => complaints,
    ended: () => ended,
    async stop() {
      isStopping = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const closed = once(child, "close");
      child.kill("SIGTERM");
      await closed;
    },
  };
}
