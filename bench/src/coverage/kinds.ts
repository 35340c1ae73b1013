import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type PromptKind, promptKinds } from "@assay/suite";

/** A kind of agent that Assay meets, and where to find one. */
export interface AgentKind {
  readonly name: string;
  /** what messages can make it do */
  readonly shows: readonly PromptKind[];
  start(): Promise<RunningAgent>;
}

export interface RunningAgent {
  readonly url: string;
  close(): void;
}

const fromRoot = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/** A server in a process of its own, and the first line that it says. */
async function started(command: string, ...args: string[]): Promise<{ ready: string; child: ChildProcess }> {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "ignore"] });
  const ended = new Promise<never>((_, reject) =>
    child.once("close", (code) => reject(new Error(`${args[0]} ended with ${code} before it listened.`))),
  );
  const ready = new Promise<string>((resolve) => createInterface(child.stdout).once("line", resolve));
  return { ready: await Promise.race([ready, ended]), child };
}

const addressIn = (ready: string): string => (JSON.parse(ready) as { url: string }).url;

/**
 * An agent of the test bed as any agent: behind a front that takes the header away by which it is known. It has no skill
 * that is known by its name either.
 */
const anonymous = (name: string, path: string, shows: readonly PromptKind[]): AgentKind => ({
  name,
  shows,
  async start() {
    const bed = await started(
      process.execPath,
      fromRoot("packages/cli/bin/assay.js"),
      "serve",
      "--port",
      "0",
      "--json",
    );
    const { port } = new URL(addressIn(bed.ready));
    const front = await started(process.execPath, fromRoot("bench/dist/as-any-agent.js"), port);
    return {
      url: `http://127.0.0.1:${front.ready}/${path}`,
      close() {
        bed.child.kill();
        front.child.kill();
      },
    };
  },
});

const sdkServer = (name: string, command: () => string, script: string): AgentKind => ({
  name,
  // It has the skills of the test bed.
  shows: promptKinds,
  async start() {
    const server = await started(command(), fromRoot(script));
    return { url: addressIn(server.ready), close: () => server.child.kill() };
  },
});

/** The interpreter that has the SDK, which is made where it is not there yet. */
function python(): string {
  const args = [fromRoot("scripts/python.mjs"), "sdks/a2a-python", ".setup/a2a-python"];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (!stdout.trim()) throw new Error(stderr.trim());
  return stdout.trim();
}

export const kinds: readonly AgentKind[] = [
  anonymous("messages only", "echo", ["message"]),
  anonymous("short tasks", "variants/short-tasks", ["task", "stream"]),
  anonymous("long tasks", "variants/long-tasks", ["task", "stream", "slow"]),
  anonymous("asks back", "variants/asks-back", ["task", "stream", "inputRequired", "followUp"]),
  anonymous("push", "variants/notifies", ["task", "stream", "slow"]),
  sdkServer("JavaScript SDK", () => process.execPath, "sdks/a2a-js/dist/server.js"),
  sdkServer("Python SDK", python, "sdks/a2a-python/server.py"),
  anonymous("moody", "variants/moody", ["task", "message", "stream", "slow", "inputRequired", "followUp"]),
];
