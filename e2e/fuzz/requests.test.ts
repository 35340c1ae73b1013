import { connect } from "node:net";
import { type JsonValue, type Operation, operations, validate } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import {
  ask,
  type Binding,
  expectNormalService,
  say,
  sending,
  useTestbed,
  written,
} from "../fixtures/testbed.fixture.ts";
import {
  concurrency,
  expectSurvival,
  type FuzzRequest,
  isRefusedHttp,
  patience,
  requestsOn,
  restProblem,
  rpcProblem,
  seed,
  showHttp,
  tally,
  useHttpSender,
} from "./fuzz.fixture.ts";
import {
  mutateBody,
  mutateBytes,
  mutateHeaders,
  mutatePath,
  mutateQuery,
  SeededRandom,
  verbs,
} from "./mutations.fixture.ts";

const bed = useTestbed({ maxTasks: 2_000 });
const send = useHttpSender(bed);

/** Valid calls of every operation. No call makes the test bed contact another host. */
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
  ["secure", "ListTasks", {}],
  ["minimal", "SendMessage", sending("task-lifecycle x")],
];

function requestFor(binding: Binding, call: ReturnType<typeof calls>[number], random: SeededRandom): FuzzRequest {
  const [name, operation, request] = call;
  const { url, plain } = written(`/${name}`, binding, operation, request);
  const headers = mutateHeaders(plain.headers as Record<string, string>, random);
  if (binding === "JSONRPC") {
    const envelope = { jsonrpc: "2.0", id: random.below(1_000), method: operation, params: request };
    const slash = random.chance(10) ? "/" : "";
    return { method: "POST", path: `${url}${slash}`, headers, body: mutateBody(envelope as JsonValue, random) };
  }
  const [path = "", query] = url.split("?");
  const mutated = `${mutatePath(path, random)}${mutateQuery(random) || (query ? `?${query}` : "")}`;
  const verb = random.chance(6) ? random.pick(verbs) : plain.method!;
  // The server rejects invalid HTTP with a body for any method, but the client of Node expects none after HEAD.
  const method = verb === "HEAD" && /[^!-~]/.test(mutated) ? "GET" : verb;
  const carries = plain.body !== undefined && method !== "GET" && method !== "HEAD";
  const body = carries ? mutateBody(JSON.parse(String(plain.body)) as JsonValue, random) : undefined;
  return { method, path: mutated, headers, ...(body && { body }) };
}

function resultProblem(method: string, result: JsonValue): string | undefined {
  const { answer } = operations[method as Operation];
  const [violation] = answer === null ? [] : validate(answer, result);
  return violation && `its result breaks the schema at ${violation.path}: ${violation.message}`;
}

describe.each<[Binding]>([["JSONRPC"], ["HTTP+JSON"]])("%s", (binding) => {
  const malformed = requestsOn(binding);
  test(
    `survives ${malformed} malformed requests with proper answers`,
    async () => {
      const spec = `${bed.url}/spec`;
      const prepare = async () => {
        const ended = await ask(spec, binding, "SendMessage", sending("task-lifecycle x"));
        const waiting = await ask(spec, binding, "SendMessage", sending("multi-turn x"));
        const targets = calls(ended.task!.id, waiting.task!.id);
        return (random: SeededRandom) => requestFor(binding, random.pick(targets), random);
      };
      await expectSurvival({
        wire: binding,
        bed,
        malformed,
        salt: binding === "JSONRPC" ? 0 : 0x5bf03635,
        prepare,
        send,
        isRefused: isRefusedHttp,
        problemOf: (attempt, response) =>
          binding === "JSONRPC" ? rpcProblem(attempt, response, resultProblem) : restProblem(attempt, response),
        show: showHttp,
      });
    },
    patience,
  );
});

/** Sends bytes over a new connection, closes the sending side, and reads to the end. */
function sendBytes(bytes: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(bed.port, "127.0.0.1", () => socket.end(bytes));
    socket.setTimeout(60_000, () => reject(new Error("no end within 60 s")));
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
    });
    socket.on("error", () => {}).on("close", () => resolve(text));
  });
}

test(
  "malformed HTTP bytes get a response below 500, or none",
  async () => {
    const { task } = await ask(`${bed.url}/spec`, "JSONRPC", "SendMessage", sending("task-lifecycle x"));
    const targets = calls(task!.id, task!.id);
    const problems: string[] = [];
    const count = requestsOn("bytes of HTTP/1.1");
    let next = 0;
    let answered = 0;
    const worker = async () => {
      while (next < count && problems.length < 5) {
        const index = next++;
        const random = new SeededRandom(seed ^ Math.imul(index + 1, 0x85ebca6b));
        const [name, operation, request] = random.pick(targets);
        const { url, plain } = written(`/${name}`, random.pick(["JSONRPC", "HTTP+JSON"]), operation, request);
        const body = plain.body === undefined ? "" : String(plain.body);
        const headers = Object.entries({
          Host: "localhost",
          ...plain.headers,
          "Content-Length": Buffer.byteLength(body),
        });
        const lines = [`${plain.method} ${url} HTTP/1.1`, ...headers.map(([header, value]) => `${header}: ${value}`)];
        let bytes = Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body}`);
        for (let mutations = 1 + random.below(3); mutations > 0; mutations--)
          bytes = Buffer.from(mutateBytes(bytes, random));
        // Connections without any byte are tested in rude-clients.test.ts.
        if (!bytes.length) continue;
        const text = await sendBytes(bytes).catch((error: unknown) => String(error));
        const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1]);
        if (status) answered++;
        if (text !== "" && !(status < 500))
          problems.push(`#${index}: ${text.slice(0, 300)}\n${bytes.toString("latin1")}`);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
    expect(problems, `ASSAY_FUZZ_SEED=${seed}`).toEqual([]);
    expect(bed.faults).toEqual([]);
    tally("bytes of HTTP/1.1", count, answered);
    expect(answered).toBeGreaterThan(count / 2);
    await expectNormalService(bed);
  },
  patience,
);
