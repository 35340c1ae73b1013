import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";

/** A server of the comparison in a process of its own. */
export interface Contestant {
  readonly name: string;
  readonly url: string;
  /** milliseconds from the start of the process to its first right answer */
  readonly startUp: number;
  heap(): Promise<number>;
  stop(): Promise<void>;
}

/** Servers of gRPC, side by side. */
export const grpcContestants = { ours: "ours", "@grpc/grpc-js 1.14.7": "grpc-js" } as const;

export const contestants = { ours: "ours", "@a2a-js/sdk 1.3.0": "sdk", "raw node:http": "raw" } as const;

/** Starts a server of the HTTP comparison and waits for its first right answer. */
export async function start(name: keyof typeof contestants): Promise<Contestant> {
  const started = performance.now();
  const contestant = await launch(name, contestants[name]);
  const { url } = contestant;
  const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "message-only hello" }] };
  const first = await fetch(`${url}/message:send`, {
    method: "POST",
    headers: { "A2A-Version": "1.0", "Content-Type": "application/json" },
    body: JSON.stringify({ message }),
  });
  if (!first.ok) throw new Error(`${name} answered ${first.status}: ${await first.text()}`);
  await first.text();
  return { ...contestant, startUp: performance.now() - started };
}

/** Starts a server in a process of its own. */
export async function launch(name: string, script: string): Promise<Contestant> {
  const started = performance.now();
  const file = fileURLToPath(new URL(`./servers/${script}.js`, import.meta.url));
  const child = fork(file, [], { execArgv: ["--expose-gc"], stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const { url } = await answerOf<{ url: string }>(child);
  return {
    name,
    url,
    startUp: performance.now() - started,
    async heap() {
      child.send("heap");
      return (await answerOf<{ heap: number }>(child)).heap;
    },
    async stop() {
      child.disconnect();
      await new Promise((resolve) => child.once("exit", resolve));
    },
  };
}

const answerOf = <T>(child: ChildProcess): Promise<T> =>
  new Promise((resolve, reject) => {
    child.once("message", (message) => resolve(message as T));
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });
