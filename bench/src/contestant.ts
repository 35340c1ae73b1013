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

export const contestants = { ours: "ours", "@a2a-js/sdk 1.3.0": "sdk", "raw node:http": "raw" } as const;

export async function start(name: keyof typeof contestants): Promise<Contestant> {
  const started = performance.now();
  const file = fileURLToPath(new URL(`./servers/${contestants[name]}.js`, import.meta.url));
  const child = fork(file, [], { execArgv: ["--expose-gc"], stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const { url } = await answerOf<{ url: string }>(child);
  const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "message-only hello" }] };
  const first = await fetch(`${url}/message:send`, {
    method: "POST",
    headers: { "A2A-Version": "1.0", "Content-Type": "application/json" },
    body: JSON.stringify({ message }),
  });
  if (!first.ok) throw new Error(`${name} answered ${first.status}: ${await first.text()}`);
  await first.text();
  const startUp = performance.now() - started;
  return {
    name,
    url,
    startUp,
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
