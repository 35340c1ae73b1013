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

/** The server of a driver in Go, built unless that was done; nothing, after the reason was printed, without Go. */
export function goServerOf(sdk: string): string | undefined {
  const cwd = join(root, "sdks", sdk);
  const args = ["build", "-p=1", "-o", "build/server", "./server"];
  const { status, stderr, error } = spawnSync("go", args, { cwd, encoding: "utf8" });
  if (error) {
    console.warn(`There is no Go to build the server of ${sdk} with.`);
    return undefined;
  }
  if (status !== 0) throw new Error(`The server of ${sdk} cannot be built.\n${stderr}`);
  return join(cwd, "build/server");
}

export interface SdkServer {
  /** of the agent that has everything; known once it listens */
  readonly url: string;
}

interface SdkServerOptions {
  /** the interpreter, of one in Python */
  readonly python?: string;
  /** the server itself, of one that was compiled */
  readonly program?: string;
  readonly args?: readonly string[];
  /** how slow its skills are; a fifth of their time unless given */
  readonly timeScale?: number;
}

/** A server of sdks/ for the tests of a describe block. */
export function useSdkServer(sdk: string, options: SdkServerOptions = {}): SdkServer {
  const { python, program, args = [], timeScale = 0.2 } = options;
  let url: string | undefined;
  let stop: () => Promise<unknown>;
  beforeAll(async () => {
    const cwd = join(root, "sdks", sdk);
    const script = python ? [python, "server.py"] : [process.execPath, "dist/server.js"];
    const [command, ...words] = program ? [program] : script;
    // What an SDK says of its work besides is not for our ears; a driver ends with its stdin.
    const child = spawn(command!, [...words, ...args], {
      cwd,
      stdio: ["pipe", "pipe", "ignore"],
      env: { ...process.env, ASSAY_TIME_SCALE: String(timeScale) },
    });
    const ended = new Promise((resolve) => child.once("close", resolve));
    stop = async () => child.kill() && ended;
    const lines = createInterface(child.stdout);
    const ready = new Promise<string>((resolve) => lines.once("line", resolve));
    const first = await Promise.race([ready, ended]);
    if (typeof first !== "string") throw new Error(`The server of ${sdk} ended before it listened: exit ${first}.`);
    const said = JSON.parse(first) as { url: string } | { agents: { full: string } };
    url = "url" in said ? said.url : said.agents.full;
  });
  afterAll(() => stop());
  return {
    get url() {
      return url!;
    },
  };
}
