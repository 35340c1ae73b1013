import { Agent, request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isObject, type JsonObject, type JsonValue, type Operation, operations, validate } from "@assay/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bendBody, bendBytes, bendHeaders, bendPath, bendQuery, Dice, verbs } from "./mutations.case.ts";
import { ask, type Binding, expectNormalService, say, sending, useTestbed, written } from "./testbed.case.ts";

// Tens of thousands of requests that are almost right. Which ones is decided by a seed, printed below and settable:
//   ASSAY_FUZZ_SEED=<seed> npx vitest run e2e/fuzz
const seed = Number(process.env["ASSAY_FUZZ_SEED"] ?? Math.floor(Math.random() * 2 ** 32));
/** Counted by what the server refused: a bent request now and then happens to be a good one. */
const malformedPerBinding = 20_000;
const concurrency = 32;

const bed = useTestbed({ maxTasks: 2_000 });
const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
afterAll(() => agent.destroy());
beforeAll(() => console.log(`fuzz: ASSAY_FUZZ_SEED=${seed}`));

interface Shot {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: Buffer;
}

interface Hit {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

function fire({ method, path, headers, body }: Shot): Promise<Hit> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host: "127.0.0.1", port: bed.port, method, path, headers, agent, timeout: 10_000 });
    sent.on("error", reject);
    sent.on("timeout", () => sent.destroy(new Error("no answer within 10 s")));
    sent.on("response", (response) => {
      const { statusCode: status = 0, headers: answered } = response;
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
        // A stream may rightly stay open: its first event is enough.
        if (answered["content-type"] === "text/event-stream" && text.includes("\n\n")) response.destroy();
      });
      response.on("close", () => resolve({ status, headers: answered, text }));
      response.on("error", () => {});
    });
    sent.end(body);
  });
}

/** Operations that a test bed without any push-capable agent in reach carries out without leaving the machine. */
const calls = (taskId: string, waitingId: string): [agent: string, operation: Operation, request: object][] => [
  ["spec", "SendMessage", sending("message-only hello")],
  ["spec", "SendMessage", { ...sending("task-lifecycle x", { historyLength: 2 }), metadata: { a: { b: [1, null] } } }],
  ["spec", "SendMessage", { message: say("more", { taskId: waitingId }), configuration: { returnImmediately: true } }],
  [
    "echo",
    "SendMessage",
    { message: say("", { parts: [{ data: { x: 1 } }, { raw: "AAEC" }, { url: "https://example.com/x" }] }) },
  ],
  ["spec", "SendStreamingMessage", sending("task-lifecycle x", { acceptedOutputModes: ["text/plain"] })],
  ["spec", "GetTask", { id: taskId, historyLength: 3 }],
  ["spec", "ListTasks", { pageSize: 2, status: "TASK_STATE_COMPLETED", includeArtifacts: true, historyLength: 1 }],
  ["full", "ListTasks", { tenant: "north", pageToken: "YQ.YQ", statusTimestampAfter: "2026-01-01T00:00:00Z" }],
  ["spec", "CancelTask", { id: taskId, metadata: { reason: "fuzz" } }],
  ["spec", "SubscribeToTask", { id: waitingId }],
  ["spec", "CreateTaskPushNotificationConfig", { taskId, url: "http://127.0.0.1:9/hook", token: "t" }],
  ["full", "GetTaskPushNotificationConfig", { taskId, id: "c" }],
  ["full", "ListTaskPushNotificationConfigs", { taskId, pageSize: 5 }],
  ["full", "DeleteTaskPushNotificationConfig", { taskId, id: "c" }],
  ["spec", "GetExtendedAgentCard", {}],
  ["strict", "ListTasks", {}],
  ["minimal", "SendMessage", sending("task-lifecycle x")],
];

function shotAt(binding: Binding, call: ReturnType<typeof calls>[number], dice: Dice): Shot {
  const [name, operation, request] = call;
  const { url, plain } = written(`/${name}`, binding, operation, request);
  const headers = bendHeaders(plain.headers as Record<string, string>, dice);
  if (binding === "JSONRPC") {
    const envelope = { jsonrpc: "2.0", id: dice.roll(1_000), method: operation, params: request };
    const slash = dice.chance(10) ? "/" : "";
    return { method: "POST", path: `${url}${slash}`, headers, body: bendBody(envelope as JsonValue, dice) };
  }
  const [path = "", query] = url.split("?");
  const bent = `${bendPath(path, dice)}${bendQuery(dice) || (query ? `?${query}` : "")}`;
  const verb = dice.chance(6) ? dice.pick(verbs) : plain.method!;
  // What is no HTTP is refused with a body whatever its verb was, and Node's client does not expect one after HEAD.
  const method = verb === "HEAD" && /[^!-~]/.test(bent) ? "GET" : verb;
  const carries = plain.body !== undefined && method !== "GET" && method !== "HEAD";
  const body = carries ? bendBody(JSON.parse(String(plain.body)) as JsonValue, dice) : undefined;
  return { method, path: bent, headers, ...(body && { body }) };
}

const isErrorInfo = (value: unknown): boolean =>
  isObject(value) &&
  value["@type"] === "type.googleapis.com/google.rpc.ErrorInfo" &&
  /^[A-Z_]+$/.test(String(value["reason"]));

const parsed = (text: string): JsonValue | undefined => {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
};

/** Refused before anybody could know the protocol: not HTTP, or too much of it. */
const isBelowProtocol = ({ status, headers }: Hit): boolean =>
  (status === 400 || status === 431) && headers.connection === "close";

function restErrorProblem(hit: Hit): string | undefined {
  const json = parsed(hit.text);
  if (!isObject(json) || !isObject(json["error"]) || Object.keys(json).length !== 1) return "no error object";
  const { code, status, message, details } = json["error"];
  if (code !== hit.status) return "its code is not the status";
  if (typeof status !== "string" || typeof message !== "string" || message === "") return "no status or no message";
  if (isBelowProtocol(hit) && details === undefined) return undefined;
  return Array.isArray(details) && isErrorInfo(details[0]) ? undefined : "no ErrorInfo";
}

function commonProblem({ status, headers, text }: Hit): string | undefined {
  if (status >= 500 || status < 200) return `status ${status}`;
  if (/html/.test(headers["content-type"] ?? "")) return "HTML";
  if (/\n\s+at |node:internal|\.ts:\d|AssertionError|TypeError/.test(text)) return "our inside shows";
  return undefined;
}

/** What is wrong with an answer to a JSON-RPC call; nothing, most of the time. */
function rpcProblem({ body }: Shot, hit: Hit): string | undefined {
  const common = commonProblem(hit);
  if (common) return common;
  if (isBelowProtocol(hit)) return restErrorProblem(hit);
  const streams = hit.headers["content-type"] === "text/event-stream";
  if (!streams && hit.headers["content-type"] !== "application/json") return "an odd content type";
  const json = parsed(streams ? hit.text.slice(6, hit.text.indexOf("\n\n")) : hit.text);
  if (!isObject(json) || json["jsonrpc"] !== "2.0" || !Object.hasOwn(json, "id")) return "no JSON-RPC response";
  const { result, error } = json;
  if ((result === undefined) === (error === undefined)) return "not exactly one of result and error";
  const asked = parsed(String(body));
  const call = isObject(asked) ? (asked as JsonObject) : {};
  if (error !== undefined) {
    if (!isObject(error) || !Number.isInteger(error["code"]) || typeof error["message"] !== "string")
      return "odd error";
    if (!Array.isArray(error["data"]) || !isErrorInfo(error["data"][0])) return "no ErrorInfo";
    return error["code"] === -32603 ? "an internal error" : undefined;
  }
  if (hit.status !== 200) return `a result with status ${hit.status}`;
  if (JSON.stringify(json["id"]) !== JSON.stringify(call["id"])) return "another id";
  const { answer } = operations[call["method"] as Operation];
  const [violation] = answer === null ? [] : validate(answer, result);
  return violation && `its result breaks the schema at ${violation.path}: ${violation.message}`;
}

function restProblem({ method }: Shot, hit: Hit): string | undefined {
  const common = commonProblem(hit);
  if (common) return common;
  if (method === "HEAD") return hit.text === "" ? undefined : "a body for HEAD";
  if (hit.status >= 400) {
    const type = isBelowProtocol(hit) ? "application/json" : "application/a2a+json";
    // A path that bent into an agent's own is JSON-RPC, and answers as such.
    if (isObject(parsed(hit.text)) && hit.text.startsWith('{"jsonrpc"')) return undefined;
    return hit.headers["content-type"] === type ? restErrorProblem(hit) : "an odd content type";
  }
  if (hit.status === 204 || hit.status === 304) return hit.text === "" ? undefined : "a body where none may be";
  if (hit.status !== 200) return `status ${hit.status}`;
  if (hit.headers["content-type"] === "text/event-stream")
    return hit.text.startsWith("data: {") ? undefined : "no event";
  if (hit.headers["content-type"]?.startsWith("text/plain")) return undefined;
  return isObject(parsed(hit.text)) ? undefined : "no JSON";
}

const collectGarbage: () => void = (() => {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
})();

const heapMiB = (): number => {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1024 / 1024;
};

describe.each<[Binding, typeof rpcProblem]>([
  ["JSONRPC", rpcProblem],
  ["HTTP+JSON", restProblem],
])("%s", (binding, problemOf) => {
  test(`survives ${malformedPerBinding} malformed requests with proper answers`, async () => {
    const spec = `${bed.url}/spec`;
    const ended = await ask(spec, binding, "SendMessage", sending("task-lifecycle x"));
    const waiting = await ask(spec, binding, "SendMessage", sending("multi-turn x"));
    const targets = calls(ended.task!.id, waiting.task!.id);
    const problems: string[] = [];
    const statuses = new Map<number, number>();
    const heaps: number[] = [];
    let next = 0;
    let refused = 0;

    const shooter = async () => {
      while (refused < malformedPerBinding && problems.length < 5) {
        const index = next++;
        if (index % 5_000 === 0) heaps.push(heapMiB());
        // Each request depends on the seed and its number alone, so that one of them can be made again.
        const dice = new Dice(seed ^ Math.imul(index + 1, 0x9e3779b1) ^ (binding === "JSONRPC" ? 0 : 0x5bf03635));
        const shot = shotAt(binding, dice.pick(targets), dice);
        const tell = (what: string, hit?: Hit) => {
          const request = JSON.stringify({ ...shot, body: shot.body?.toString("latin1").slice(0, 2_000) });
          problems.push(`#${index}: ${what}\n  ${request}\n  ${hit?.status} ${hit?.text.slice(0, 1_000)}`);
        };
        try {
          const hit = await fire(shot);
          statuses.set(hit.status, (statuses.get(hit.status) ?? 0) + 1);
          if (hit.status >= 400 || hit.text.includes('"error":{"code"')) refused++;
          const problem = problemOf(shot, hit);
          if (problem) tell(problem, hit);
        } catch (error) {
          tell(String(error));
        }
      }
    };
    await Promise.all(Array.from({ length: concurrency }, shooter));
    heaps.push(heapMiB());
    console.log(`fuzz: ${binding} refused ${refused} of ${next} requests`);

    expect(problems, `ASSAY_FUZZ_SEED=${seed}`).toEqual([]);
    expect(bed.faults).toEqual([]);
    // Enough of them got past the door, and enough were stopped there, for this to mean something.
    expect((statuses.get(200) ?? 0) > malformedPerBinding / 20).toBe(true);
    if (binding === "HTTP+JSON") expect((statuses.get(400) ?? 0) > malformedPerBinding / 10).toBe(true);
    const [, settled = 0] = heaps;
    expect(heaps.at(-1)! - settled).toBeLessThan(48);
    await expectNormalService(bed);
  }, 60_000);
});

/** Sends bytes on a connection of their own, closes our side, and reads to the end. */
function utter(bytes: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(bed.port, "127.0.0.1", () => socket.end(bytes));
    socket.setTimeout(5_000, () => reject(new Error("no end within 5 s")));
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
    });
    socket.on("error", () => {}).on("close", () => resolve(text));
  });
}

test("bytes on the socket that are almost HTTP are answered without a server error, or not at all", async () => {
  const { task } = await ask(`${bed.url}/spec`, "JSONRPC", "SendMessage", sending("task-lifecycle x"));
  const targets = calls(task!.id, task!.id);
  const problems: string[] = [];
  const count = 4_000;
  let next = 0;
  let answered = 0;
  const speaker = async () => {
    while (next < count && problems.length < 5) {
      const index = next++;
      const dice = new Dice(seed ^ Math.imul(index + 1, 0x85ebca6b));
      const [name, operation, request] = dice.pick(targets);
      const { url, plain } = written(`/${name}`, dice.pick(["JSONRPC", "HTTP+JSON"]), operation, request);
      const body = plain.body === undefined ? "" : String(plain.body);
      const headers = Object.entries({
        Host: "localhost",
        ...plain.headers,
        "Content-Length": Buffer.byteLength(body),
      });
      const lines = [`${plain.method} ${url} HTTP/1.1`, ...headers.map(([header, value]) => `${header}: ${value}`)];
      let bytes = Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body}`);
      for (let bends = 1 + dice.roll(3); bends > 0; bends--) bytes = Buffer.from(bendBytes(bytes, dice));
      const text = await utter(bytes).catch((error: unknown) => String(error));
      const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1]);
      if (status) answered++;
      if (text !== "" && !(status < 500))
        problems.push(`#${index}: ${text.slice(0, 300)}\n${bytes.toString("latin1")}`);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, speaker));
  expect(problems, `ASSAY_FUZZ_SEED=${seed}`).toEqual([]);
  expect(bed.faults).toEqual([]);
  expect(answered).toBeGreaterThan(count / 2);
  await expectNormalService(bed);
}, 60_000);
