import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll } from "vitest";

const root = join(import.meta.dirname, "../..");

/** The interpreter of a Python environment of sdks/, or nothing, after the reason was printed. */
export function pythonOf(sdk: string): string | undefined {
  const args = [join(root, "scripts/python.mjs"), `sdks/${sdk}`, `sdks/${sdk}/.venv`];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`The Python environment of ${sdk} is missing.\n${stderr}`);
  const interpreter = stdout.trim();
  if (!interpreter) console.warn(stderr.trim());
  return interpreter || undefined;
}

export interface SdkServer {
  /** of the agent that has everything; known once it listens */
  readonly url: string;
}

/** A server of sdks/ for the tests of a describe block. */
export function useSdkServer(sdk: string, { python, args = [] }: { python?: string; args?: string[] } = {}): SdkServer {
  let url: string | undefined;
  let stop: () => Promise<unknown>;
  beforeAll(async () => {
    const [command, main] = python ? [python, "server.py"] : [process.execPath, "dist/server.js"];
    // What an SDK says of its work besides is not for our ears; a driver ends with its stdin.
    const child = spawn(command, [join(root, "sdks", sdk, main), ...args], {
      stdio: ["pipe", "pipe", "ignore"],
      env: { ASSAY_TIME_SCALE: "0.2", ...process.env },
    });
    const ended = new Promise((resolve) => child.once("close", resolve));
    stop = async () => child.kill() && ended;
    const lines = createInterface(child.stdout);
    const ready = new Promise<string>((resolve) => lines.once("line", resolve));
    const first = await Promise.race([ready, ended]);
    if (typeof first !== "string") throw new Error(`The server of ${sdk} ended before it listened: exit ${first}.`);
    const said = JSON.parse(first) as { url: string } | { agents: { full: string } };
    url = "url" in said ? said.url : said.agents.full;
  }, 60_000);
  afterAll(() => stop());
  return {
    get url() {
      return url!;
    },
  };
}
