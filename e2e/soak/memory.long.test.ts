import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type ClientHttp2Session, connect as connectHttp2 } from "node:http2";
import { connect, createServer, type Server, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { provesAll } from "../fixtures/proves-all.fixture.ts";
import { plain } from "../fixtures/testbed.fixture.ts";

// Runs attacks on the memory of a test bed with 512 MiB of heap and the default budgets. After each attack it must still
// serve another caller. `npm run prove -- memory` runs all attacks, with `--short` a few.

const asMany = (count: number, inShort: number): number => (provesAll ? count : inShort);
const main = fileURLToPath(new URL("../../packages/cli/bin/command.js", import.meta.url));

const attacker = "127.0.0.1";
const good = "127.0.0.9";
const nearlyTenMB = "x".repeat(9_800_000);

let bed: { url: string; port: number; pid: number };
let child: ReturnType<typeof spawn>;
/** the last lines that the test bed logged */
let complaints = "";
let silence: Server;
let silentUrl: string;
const sockets = new Set<Socket>();
let session: ClientHttp2Session | undefined;

beforeAll(async () => {
  child = spawn(process.execPath, ["--max-old-space-size=512", main, "serve", "--port", "0", "--json"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stderr!.on("data", (chunk: Buffer) => {
    complaints = (complaints + chunk).slice(-5_000);
  });
  const [line] = (await once(createInterface(child.stdout!), "line")) as [string];
  bed = JSON.parse(line) as typeof bed;
  silence = createServer((socket) => void socket.on("error", () => {})).listen(0, "127.0.0.1");
  await once(silence, "listening");
  silentUrl = `http://127.0.0.1:${(silence.address() as { port: number }).port}/`;
});
afterAll(() => {
  const peak = /^VmHWM:\s+(\d+) kB/m.exec(readStatus())?.[1];
  console.log(`soak: the test bed took at most ${Math.round(Number(peak ?? 0) / 1024)} MiB`);
  hangUp();
  silence.close();
  child.kill();
});

/** Returns the status of the process on Linux, and an empty text elsewhere. */
function readStatus(): string {
  try {
    return readFileSync(`/proc/${bed.pid}/status`, "utf8");
  } catch {
    return "";
  }
}

function hangUp(): void {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  session?.destroy();
  session = undefined;
}

interface Answer {
  readonly status: number;
  readonly result?: {
    readonly task?: { readonly id: string; readonly status: { readonly state: string } };
    readonly tasks?: readonly { readonly id: string }[];
  };
}

async function rpc(agent: string, method: string, params: object, from = attacker): Promise<Answer> {
  const headers = { "Content-Type": "application/json", "A2A-Version": "1.0" };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const { status, text } = await plain(`${bed.url}/${agent}`, {
    method: "POST",
    headers,
    body,
    from,
    fresh: true,
  }).catch((error: unknown) => {
    // The server may close the connection of a rejected request before the client has read the response.
    if (from === attacker && child.exitCode === null) return { status: 429, text: "{}" };
    throw error;
  });
  return { status, ...(JSON.parse(text) as object) };
}

const say = (text: string, more: object = {}) => ({
  message: { messageId: randomUUID(), role: "ROLE_USER", parts: [{ text }], ...more },
});

/** Runs `work` this many times at once. */
async function together<T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> {
  const all: T[] = [];
  let next = 0;
  const worker = async () => {
    while (next < count) all.push(await work(next++));
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return all;
}

/** Sends a request over a new connection and never reads the response. */
function sendAndForget(head: readonly string[], body = ""): void {
  const socket = connect(bed.port, "127.0.0.1").on("error", () => {});
  sockets.add(socket.pause());
  socket.write([...head, "Host: localhost", "A2A-Version: 1.0", "", body].join("\r\n"));
}

async function expectGoodService(): Promise<void> {
  for (const text of ["message-only hello", "task-lifecycle x", "chunks 50"]) {
    expect([text, (await rpc("spec", "SendMessage", say(text), good)).status]).toEqual([text, 200]);
  }
  const { result } = await rpc("full", "SendMessage", say("multi-turn x"), good);
  const done = await rpc("full", "SendMessage", say("done", { taskId: result?.task?.id }), good);
  expect(done.result?.task?.status.state).toBe("TASK_STATE_COMPLETED");
  expect((await rpc("spec", "ListTasks", { pageSize: 5 }, good)).status).toBe(200);
}

/** Frees the memory of earlier attacks. */
async function cancelAll(): Promise<void> {
  for (const agent of ["spec", "full"]) {
    const query = { status: "TASK_STATE_INPUT_REQUIRED", historyLength: 0, pageSize: 100 };
    const { result } = await rpc(agent, "ListTasks", query, good);
    for (const { id } of result?.tasks ?? []) await rpc(agent, "CancelTask", { id }, good);
  }
}

const attacks: Record<string, () => Promise<void>> = {
  "tasks that wait, each of ten megabytes": async () => {
    const answers = await together(asMany(80, 11), () => rpc("spec", "SendMessage", say(`multi-turn ${nearlyTenMB}`)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
  },

  "tasks whose data is more than it looks": async () => {
    const data = JSON.parse(`[${"{},".repeat(asMany(3_000_000, 300_000))}{}]`) as object[];
    const parts = [{ text: "multi-turn x" }, { data }];
    await together(asMany(20, 2), () => rpc("full", "SendMessage", say("", { parts })));
  },

  "a webhook that never answers, fifty configurations, large messages": async () => {
    const { result } = await rpc("full", "SendMessage", say("multi-turn x"));
    const taskId = result?.task?.id;
    await together(50, (n) => rpc("full", "CreateTaskPushNotificationConfig", { taskId, url: silentUrl, id: `c${n}` }));
    for (let n = 0; n < asMany(9, 2); n++) await rpc("full", "SendMessage", say(nearlyTenMB, { taskId }));
  },

  "small requests whose tasks tell that webhook much": async () => {
    const configuration = { taskPushNotificationConfig: { url: silentUrl } };
    const ask = () => rpc("full", "SendMessage", { ...say("chunks 1000 30000"), configuration });
    await together(asMany(120, 6), ask);
  },

  "relays within relays": async () => {
    const link = `relay ${bed.url}/full `;
    const deep = link.repeat(Math.floor(166_000 / link.length));
    await together(asMany(20, 3), () => rpc("full", "SendMessage", say(`${deep}hello`)));
    const wide = `${link.repeat(3)}chunks 1000 2000`;
    await together(asMany(100, 10), () => rpc("full", "SendMessage", say(wide)));
  },

  "names of agents that are none": async () => {
    await together(asMany(20_000, 200), (n) => plain(`${bed.url}/spec@1.0@${n}/.well-known/agent-card.json`));
  },

  "agents that are many": async () => {
    const { text } = await plain(`${bed.url}/mutants`);
    const paths = (JSON.parse(text) as { path: string }[]).map(({ path }) => path);
    const bases = ["", "@1.0", "@0.3", "@0.2", "@0.1", "@full", "@spec"];
    const names = paths.slice(0, asMany(paths.length, 20)).flatMap((path) => bases.map((base) => path + base));
    await together(names.length, (n) => plain(`${bed.url}${names[n]}`, { headers: { Host: `localhost:${n % 40}` } }));
  },

  "ids that are as long as a body": async () => {
    const part = { type: "text", text: "task-lifecycle x" };
    const send = (n: number) => ({ id: `${n}${nearlyTenMB}`, message: { role: "user", parts: [part] } });
    await together(asMany(100, 5), (n) => rpc("spec01", "tasks/send", send(n)));
  },

  "bodies that do not end": async () => {
    const head = ["POST /spec/message:send HTTP/1.1", "Content-Type: application/json", "Content-Length: 9900000"];
    for (let n = 0; n < asMany(300, 12); n++) sendAndForget(head, nearlyTenMB);
    await sleep(asMany(10_000, 500));
  },

  "gRPC messages that do not end": async () => {
    const frame = Buffer.concat([Buffer.from([0, 0, 0x96, 0, 0]), Buffer.alloc(9_000_000)]);
    session = connectHttp2(bed.url).on("error", () => {});
    for (let n = 0; n < asMany(60, 10); n++) {
      const headers = { ":method": "POST", ":path": "/lf.a2a.v1.A2AService/SendMessage" };
      const stream = session.request({ ...headers, "content-type": "application/grpc", te: "trailers" });
      stream.on("error", () => {}).write(frame);
    }
    await sleep(asMany(10_000, 500));
  },

  "answers and streams that are not read": async () => {
    const { result } = await rpc("spec", "SendMessage", say(`multi-turn ${"x".repeat(5_000_000)}`));
    const id = result?.task?.id;
    for (let n = 0; n < asMany(300, 20); n++) {
      sendAndForget([`GET /spec/tasks/${id} HTTP/1.1`]);
      sendAndForget([`POST /spec/tasks/${id}:subscribe HTTP/1.1`, "Content-Length: 0"]);
    }
    const body = JSON.stringify(say("chunks 1000 30000"));
    const type = ["Content-Type: application/json", `Content-Length: ${body.length}`];
    for (let n = 0; n < asMany(100, 10); n++) sendAndForget(["POST /spec/message:stream HTTP/1.1", ...type], body);
    await sleep(asMany(10_000, 500));
  },
};

/** Attacks that once crashed a test bed within seconds. The others take longer. */
const inShort = [
  "tasks that wait, each of ten megabytes",
  "relays within relays",
  "answers and streams that are not read",
];

test.each(Object.entries(attacks).filter(([name]) => provesAll || inShort.includes(name)))(
  "%s",
  async (_name, attack) => {
    await attack();
    await expectGoodService();
    hangUp();
    expect(child.exitCode ?? child.signalCode, complaints).toBe(null);
    await cancelAll();
  },
);
