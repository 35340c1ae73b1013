import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { commandIn, missingPart, readDriver, setUpDriver } from "@assay/matrix";
import { progress } from "./results/report.ts";

/** An agent in a separate process. */
export interface RunningAgent {
  readonly url: string;
  close(): void;
}

export const fromRoot = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Starts a server in a separate process and returns its first line of output. */
async function started(
  [command = "", ...args]: readonly string[],
  cwd?: string,
): Promise<{ ready: string; child: ChildProcess }> {
  // Some servers exit when their stdin closes, so keep it open.
  const child = spawn(command, args, { cwd, stdio: ["pipe", "pipe", "ignore"] });
  const ended = new Promise<never>((_, reject) => {
    child.once("error", reject);
    child.once("close", (code) => reject(new Error(`${command} ended with ${code} before it listened.`)));
  });
  // Once the server listens, only its caller needs to know how it ends.
  ended.catch(() => {});
  const ready = new Promise<string>((resolve) => createInterface(child.stdout).once("line", resolve));
  return { ready: await Promise.race([ready, ended]), child };
}

function addressIn(ready: string): string {
  const said = JSON.parse(ready) as { url: string } | { agents: { full: string } };
  return "url" in said ? said.url : said.agents.full;
}

/** Starts a script that prints its address as JSON. */
export async function scripted(command: string, script: string, ...args: string[]): Promise<RunningAgent> {
  const server = await started([command, fromRoot(script), ...args]);
  return { url: addressIn(server.ready), close: () => server.child.kill() };
}

/** Starts an agent of the test bed that Assay recognises as such. */
export async function bedAgent(path: string, timeScale = 1, ...flags: readonly string[]): Promise<RunningAgent> {
  const scale = ["--time-scale", String(timeScale)];
  const { url, close } = await scripted(
    process.execPath,
    "packages/cli/bin/assay.js",
    "serve",
    "--port=0",
    "--json",
    ...scale,
    ...flags,
  );
  return { url: `${url}/${path}`, close };
}

/** Starts the same agent behind a front that removes the header by which Assay recognises the test bed. */
export async function anonymousAgent(path: string, timeScale = 1, ...flags: readonly string[]): Promise<RunningAgent> {
  const bed = await bedAgent(path, timeScale, ...flags);
  const front = await started([process.execPath, fromRoot("bench/dist/as-any-agent.js"), new URL(bed.url).port]);
  return {
    url: `http://127.0.0.1:${front.ready}/${path}`,
    close() {
      bed.close();
      front.child.kill();
    },
  };
}

export const javascriptSdk = (): Promise<RunningAgent> => scripted(process.execPath, "sdks/a2a-js/dist/server.js");

/** Starts the server of a driver in sdks/, and sets the driver up on first use. */
export async function driverServer(name: string): Promise<RunningAgent> {
  const driver = readDriver(fromRoot(`sdks/${name}`));
  if (missingPart(driver, process.env) !== undefined) {
    const signal = AbortSignal.timeout(1_200_000);
    const trouble = await setUpDriver(driver, { env: process.env, signal, onStep: (text) => progress(text) });
    if (trouble !== undefined) throw new Error(`${driver.title}: ${trouble}`);
  }
  const server = await started(commandIn(driver.folder, driver.server!.command), driver.folder);
  return { url: addressIn(server.ready), close: () => server.child.kill() };
}
