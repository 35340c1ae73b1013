import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** A server of others that a test has for itself: `scripts/postgres.mjs`, `scripts/redis.mjs`. */
export interface OwnServer {
  readonly address: string;
  /** Ends it as a crash would, and starts it again on what it has on disk. */
  restart(): Promise<void>;
  /** The first half of that. */
  stop(): Promise<void>;
  /** The second half. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Whether there is one; where not, that has been said by then, and with CI=true it is a failure. */
export function hasServer(script: string): boolean {
  const ready = spawnSync(process.execPath, [script, "--look"], { encoding: "utf8" });
  if (ready.status !== 0) throw new Error(`${script}: it must be had and cannot: ${ready.stderr}`);
  if (ready.stdout === "") process.stderr.write(ready.stderr);
  return ready.stdout !== "";
}

export async function startServer(script: string, ...flags: readonly string[]): Promise<OwnServer> {
  const child = spawn(process.execPath, [script, ...flags], { stdio: ["pipe", "pipe", "inherit"] });
  const closed = once(child, "close");
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const { value: address } = await lines.next();
  const told = async (line: "restart" | "stop" | "start"): Promise<void> => {
    child.stdin.write(`${line}\n`);
    await lines.next();
  };
  return {
    address,
    restart: () => told("restart"),
    stop: () => told("stop"),
    start: () => told("start"),
    async close() {
      child.stdin.end();
      await closed;
    },
  };
}
