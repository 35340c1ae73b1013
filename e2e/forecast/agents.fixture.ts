import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { startTestbed } from "@assay/agents";
import { parse } from "yaml";
import { freePort } from "../fixtures/free-port.fixture.ts";
import { pythonOf } from "../sdks/server.fixture.ts";
import { root, setUp } from "./clients.fixture.ts";

export interface PairedAgent {
  readonly sdk?: string;
  readonly framework?: string;
  readonly mutant?: string;
  readonly asks: readonly { readonly text: string; readonly expects: string }[];
}

/** Starts an agent of pairs.yaml, hands its address to `use`, and ends it. */
export async function withAgent<T>(
  { sdk, framework, mutant }: PairedAgent,
  use: (url: string) => Promise<T>,
): Promise<T> {
  if (mutant !== undefined) {
    const bed = await startTestbed({ host: "127.0.0.1", port: 0, version: "0.0.0", timeScale: 0.1 });
    try {
      return await use(`${bed.url}/mutants/${mutant}`);
    } finally {
      await bed.close(0);
    }
  }
  const { child, url } = sdk === undefined ? await startFramework(framework!) : await startSdk(sdk);
  try {
    return await use(url);
  } finally {
    const ended = new Promise((resolve) => child.once("close", resolve));
    if (child.exitCode === null && child.kill("SIGKILL")) await ended;
  }
}

interface Started {
  readonly child: ChildProcess;
  readonly url: string;
}

async function startSdk(sdk: string): Promise<Started> {
  const python = sdk.startsWith("a2a-python") ? pythonOf(sdk) : undefined;
  const [command, ...args] = python ? [python, "server.py"] : [process.execPath, "dist/server.js"];
  const child = spawn(command!, args, {
    cwd: join(root, "sdks", sdk),
    stdio: ["pipe", "pipe", "ignore"],
    env: { ...process.env, ASSAY_TIME_SCALE: "0.1" },
  });
  const { value } = await createInterface(child.stdout)[Symbol.asyncIterator]().next();
  const said = JSON.parse(value as string) as { url: string } | { agents: { full: string } };
  return { child, url: "url" in said ? said.url : said.agents.full };
}

async function startFramework(name: string): Promise<Started> {
  const file = join(root, "sdks/frameworks", name, "framework.yaml");
  const { setup, start } = parse(readFileSync(file, "utf8")) as { setup: string[][]; start: string[] };
  if (!setUp({ id: name, name, version: "", setup, command: [] })) throw new Error(`${name} cannot be set up.`);
  const port = await freePort();
  const [command, ...args] = start.map((word) => word.replace("{port}", String(port)).replace("{think}", "0"));
  const child = spawn(command!, args, { cwd: root, stdio: ["ignore", "ignore", "ignore"] });
  const url = `http://127.0.0.1:${port}`;
  while (!(await isServed(url))) {
    if (child.exitCode !== null) throw new Error(`${name} ended before it listened: exit ${child.exitCode}.`);
    await pause(100);
  }
  return { child, url };
}

const isServed = (url: string): Promise<boolean> =>
  fetch(`${url}/.well-known/agent-card.json`).then(
    () => true,
    () => false,
  );
