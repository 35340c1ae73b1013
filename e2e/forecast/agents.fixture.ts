import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { startTestbed } from "@assay/agents";
import { parse } from "yaml";
import { freePort } from "../fixtures/free-port.fixture.ts";
import { goServerOf, pythonOf } from "../sdks/server.fixture.ts";
import { realClients, root, setUp } from "./clients.fixture.ts";
import { type PlainAgentName, startPlainAgent } from "./plain-agents.fixture.ts";

export interface Ask {
  readonly text: string;
  /** the answer to the question that the agent asks back */
  readonly reply?: string;
  readonly expects: string;
}

export interface PairedAgent {
  readonly sdk?: string;
  readonly framework?: string;
  readonly mutant?: string;
  /** an agent written from the specification alone */
  readonly plain?: PlainAgentName;
  /** a client of sdks/clients whose package has a server, too, and the program that starts it */
  readonly served?: { readonly by: string; readonly program: string };
  readonly asks: readonly Ask[];
}

/** Starts an agent of pairs.yaml, hands its address to `use`, and ends it. */
export async function withAgent<T>(
  { sdk, framework, mutant, plain, served }: PairedAgent,
  use: (url: string) => Promise<T>,
): Promise<T> {
  if (plain !== undefined) {
    const { url, close } = await startPlainAgent(plain);
    try {
      return await use(url);
    } finally {
      await close();
    }
  }
  if (mutant !== undefined) {
    const bed = await startTestbed({ host: "127.0.0.1", port: 0, version: "0.0.0", timeScale: 0.1 });
    try {
      return await use(`${bed.url}/mutants/${mutant}`);
    } finally {
      await bed.close(0);
    }
  }
  const { child, url } = await (sdk !== undefined
    ? startSdk(sdk)
    : served
      ? startServed(served)
      : startFramework(framework!));
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
  const child = spawn(...serverOf(sdk), {
    cwd: join(root, "sdks", sdk),
    stdio: ["pipe", "pipe", "ignore"],
    env: { ...process.env, ASSAY_TIME_SCALE: "0.1" },
  });
  const { value } = await createInterface(child.stdout)[Symbol.asyncIterator]().next();
  const said = JSON.parse(value as string) as { url: string } | { agents: { full: string } };
  return { child, url: "url" in said ? said.url : said.agents.full };
}

function serverOf(sdk: string): [command: string, args: string[]] {
  if (sdk.startsWith("a2a-go")) return [goServerOf(sdk)!, []];
  return sdk.startsWith("a2a-python") ? [pythonOf(sdk)!, ["server.py"]] : [process.execPath, ["dist/server.js"]];
}

async function startFramework(name: string): Promise<Started> {
  const file = join(root, "sdks/frameworks", name, "framework.yaml");
  const { setup, start } = parse(readFileSync(file, "utf8")) as { setup: string[][]; start: string[] };
  if (!setUp({ id: name, name, version: "", setup, command: [] })) throw new Error(`${name} cannot be set up.`);
  return startAt((port) => start.map((word) => word.replace("{port}", port).replace("{think}", "0")));
}

function startServed({ by, program }: NonNullable<PairedAgent["served"]>): Promise<Started> {
  const client = realClients.find(({ id }) => id === by)!;
  if (!setUp(client)) throw new Error(`${by} cannot be set up.`);
  return startAt((port) => [client.command[0]!, program, port]);
}

/** Starts a server on a free port, and waits until it serves its card. */
async function startAt(commandFor: (port: string) => readonly string[]): Promise<Started> {
  const port = await freePort();
  const [command, ...args] = commandFor(String(port));
  const child = spawn(command!, args, { cwd: root, stdio: ["ignore", "ignore", "ignore"] });
  const url = `http://127.0.0.1:${port}`;
  while (!(await isServed(url))) {
    if (child.exitCode !== null) throw new Error(`${command} ended before it listened: exit ${child.exitCode}.`);
    await pause(100);
  }
  return { child, url };
}

const isServed = (url: string): Promise<boolean> =>
  fetch(`${url}/.well-known/agent-card.json`).then(
    () => true,
    () => false,
  );
