import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { commandIn, missingPart, readDriver, setUpDriver } from "@assay/matrix";
import { progress } from "./results/report.ts";

/** An agent in a process of its own. */
export interface RunningAgent {
  readonly url: string;
  close(): void;
}

export const fromRoot = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** A server in a process of its own, and the first line that it says. */
async function started(
  [command = "", ...args]: readonly string[],
  cwd?: string,
): Promise<{ ready: string; child: ChildProcess }> {
  // Some end with their stdin.
  const child = spawn(command, args, { cwd, stdio: ["pipe", "pipe", "ignore"] });
  const ended = new Promise<never>((_, reject) => {
    child.once("error", reject);
    child.once("close", (code) => reject(new Error(`${command} ended with ${code} before it listened.`)));
  });
  // Once it listens, how it ends is for those to say who end it.
  ended.catch(() => {});
  const ready = new Promise<string>((resolve) => createInterface(child.stdout).once("line", resolve));
  return { ready: await Promise.race([ready, ended]), child };
}

function addressIn(ready: string): string {
  const said = JSON.parse(ready) as { url: string } | { agents: { full: string } };
  return "url" in said ? said.url : said.agents.full;
}

/** A script that says in JSON where it listens. */
export async function scripted(command: string, script: string, ...args: string[]): Promise<RunningAgent> {
  const server = await started([command, fromRoot(script), ...args]);
  return { url: addressIn(server.ready), close: () => server.child.kill() };
}

/** An agent of the test bed, known as that. */
export async function bedAgent(path: string, timeScale = 1): Promise<RunningAgent> {
  const scale = ["--time-scale", String(timeScale)];
  const { url, close } = await scripted(
    process.execPath,
    "packages/cli/bin/assay.js",
    "serve",
    "--port=0",
    "--json",
    ...scale,
  );
  return { url: `${url}/${path}`, close };
}

/** The same as any agent: behind a front that takes the header away by which the test bed is known. */
export async function anonymousAgent(path: string, timeScale = 1): Promise<RunningAgent> {
  const bed = await bedAgent(path, timeScale);
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
