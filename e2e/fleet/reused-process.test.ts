import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Examined, FleetJob } from "@assay/fleet";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { provesAll } from "../fixtures/proves-all.fixture.ts";
import { testIf } from "../fixtures/test-if.fixture.ts";

// One process examines many agents, one after the other. What it knows of one must not reach the next.

/** In everything that the first agent sends, and in its credentials. */
const marker = "mark-of-the-first-agent";

interface Agent {
  readonly url: string;
  readonly asked: { readonly path: string; readonly headers: IncomingHttpHeaders }[];
  connections(): Promise<number>;
}

/** An agent that answers every call with an error, and marks whatever a client might keep. */
async function startAgent(mark: string): Promise<Agent> {
  const asked: Agent["asked"] = [];
  const server = createServer(async (request, response) => {
    const { url: path = "", headers } = request;
    asked.push({ path, headers });
    const body = Buffer.concat(await request.toArray()).toString();
    response.setHeader("Set-Cookie", `${mark}=${mark}; Path=/`);
    response.setHeader("ETag", `"${mark}"`);
    response.setHeader("Alt-Svc", `h2="${mark}.example:443"; persist=1`);
    response.setHeader("Content-Type", "application/json");
    if (path.endsWith("/agent-card.json")) response.end(JSON.stringify(cardOf(mark, url)));
    else if (path !== "/rpc") response.writeHead(404).end(mark);
    else response.end(JSON.stringify({ jsonrpc: "2.0", id: idIn(body), error: { code: -32001, message: mark } }));
  });
  server.keepAliveTimeout = 0;
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const connections = () =>
    new Promise<number>((done, fail) => server.getConnections((error, count) => (error ? fail(error) : done(count))));
  return { url, asked, connections };
}

const cardOf = (mark: string, url: string) => ({
  name: mark,
  description: `The agent ${mark}.`,
  version: "1",
  supportedInterfaces: [{ url: `${url}/rpc`, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  capabilities: { streaming: true },
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [{ id: mark, name: mark, description: mark, tags: [mark] }],
});

function idIn(body: string): unknown {
  try {
    return (JSON.parse(body) as { id?: unknown } | null)?.id ?? null;
  } catch {
    return null;
  }
}

interface ExaminingProcess {
  readonly child: ChildProcess;
  examine(agent: Partial<FleetJob["agent"]> & { readonly url: string }): Promise<Examined>;
}

/** The process that `assay fleet` starts, with the same input and output. */
function startProcess(folder: string): ExaminingProcess {
  const way = JSON.stringify({ folder, allowHosts: ["127.0.0.1"], timeout: 60 });
  const flags = ["--heapsnapshot-signal=SIGUSR2", `--diagnostic-dir=${folder}`];
  const child = spawn(process.execPath, [...flags, resolve("packages/cli/bin/command.js"), "examine-agents", way], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    child,
    async examine(agent) {
      const job = { sweep: "s", agent: { name: agent.url, labels: [], depth: "free", mayMessage: false, ...agent } };
      child.stdin.write(`${JSON.stringify(job)}\n`);
      const { value } = await lines.next();
      return JSON.parse(value as string) as Examined;
    },
  };
}

/** Names of all headers that an agent got. */
const headersTo = ({ asked }: Agent): string[] =>
  [...new Set(asked.flatMap(({ headers }) => Object.keys(headers)))].sort();

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-reused-"));
  writeFileSync(join(folder, "token"), `secret-${marker}`);
});

test("a used process sends an agent nothing that it knows from another one", async () => {
  const [alone, first, second] = await Promise.all([startAgent("alone"), startAgent(marker), startAgent("second")]);
  await startProcess(folder).examine({ url: alone.url });
  const used = startProcess(folder);
  // Assay never does this: a process that got credentials examines no other agent.
  const { examination, reusable } = await used.examine({ url: first.url, login: { bearer: "@token" } });
  expect([examination.report?.agentName, reusable]).toEqual([marker, true]);
  expect(headersTo(first)).toContain("authorization");
  await expect.poll(first.connections).toBe(0);
  await used.examine({ url: second.url });
  expect(headersTo(second)).toEqual(headersTo(alone));
  expect(JSON.stringify(second.asked)).not.toContain(marker);
});

testIf(provesAll)("the memory of a process contains nothing of the agent before the last", async () => {
  const [first, second] = await Promise.all([startAgent(marker), startAgent("mark-of-the-second")]);
  const used = startProcess(folder);
  await used.examine({ url: first.url, login: { bearer: "@token" } });
  await used.examine({ url: second.url });
  used.child.kill("SIGUSR2");
  const isWritten = () => readdirSync(folder).find((name) => name.endsWith(".heapsnapshot"));
  const file = await expect.poll(isWritten).toBeTruthy().then(isWritten);
  // It answers again when the snapshot is complete.
  await used.examine({ url: second.url });
  const { strings } = JSON.parse(readFileSync(join(folder, file!), "utf8")) as { readonly strings: string[] };
  // What the process still needs is found, so the search works.
  expect(strings.some((text) => text.includes(folder))).toBe(true);
  expect(strings.filter((text) => text.includes(marker))).toEqual([]);
  used.child.stdin!.end();
  await once(used.child, "close");
});
