import {
  type ClientHttp2Session,
  connect as connectHttp2,
  constants,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
} from "node:http2";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { type JsonObject, type Operation, operations, validate } from "@assay/protocol";
import { type GrpcService, grpcV03, grpcV10, readStatusDetails } from "@assay/protocol/grpc";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectionPreface, headersFrame, http2Frame } from "../fixtures/http2-bytes.fixture.ts";
import { ask, expectNormalService, plain, say, sending, useTestbed } from "../fixtures/testbed.fixture.ts";
import { concurrency, expectSurvival, isReason, patience, randomFor, requestsOn, seed, tally } from "./fuzz.fixture.ts";
import { mutateBytes, type SeededRandom } from "./mutations.fixture.ts";

const bed = useTestbed({ maxTasks: 2_000 });
beforeAll(() => console.log(`fuzz: ASSAY_FUZZ_SEED=${seed}`));

interface FuzzRequest {
  readonly service: GrpcService;
  readonly operation: Operation;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

interface FuzzResponse {
  readonly head: IncomingHttpHeaders & IncomingHttpStatusHeader;
  readonly trailers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** the client ended the stream after its first message */
  readonly cut: boolean;
}

let connection: ClientHttp2Session | undefined;
afterAll(() => connection?.destroy());

/** Returns the connection of all calls, as in gRPC clients. Opens a new one only if the server closed it. */
function session(): ClientHttp2Session {
  if (!connection || connection.closed || connection.destroyed) {
    connection = connectHttp2(bed.url);
    connection.on("error", () => {});
  }
  return connection;
}

function send({ headers, body }: FuzzRequest): Promise<FuzzResponse> {
  return new Promise((resolve, reject) => {
    const stream = session().request({ ":method": "POST", te: "trailers", ...headers });
    const chunks: Buffer[] = [];
    let head: FuzzResponse["head"] = {};
    let trailers: IncomingHttpHeaders = {};
    let cut = false;
    const patience = setTimeout(() => {
      reject(new Error("no end within 250 s"));
      stream.close(constants.NGHTTP2_CANCEL);
    }, 250_000);
    const done = () => {
      clearTimeout(patience);
      resolve({ head, trailers, body: Buffer.concat(chunks), cut });
    };
    stream.on("response", (received) => {
      head = received;
    });
    stream.on("trailers", (received) => {
      trailers = received;
    });
    const isSubscription = /Subscri/.test(headers[":path"]!);
    stream.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      if (!isSubscription) return;
      // The stream may stay open, so its first message is enough.
      const got = Buffer.concat(chunks);
      if (got.length >= 5 && got.length >= 5 + got.readUInt32BE(1)) {
        cut = true;
        stream.close(constants.NGHTTP2_CANCEL);
      }
    });
    stream.on("error", (error) => {
      clearTimeout(patience);
      reject(error);
    });
    stream.on("close", done);
    stream.end(body);
  });
}

// Valid messages, and their mutations.

const frame = (message: Uint8Array, flag = 0, length = message.length): Buffer => {
  const head = Buffer.alloc(5);
  head[0] = flag;
  head.writeUInt32BE(length >>> 0, 1);
  return Buffer.concat([head, message]);
};

const varint = (value: number): number[] => {
  const bytes: number[] = [];
  let rest = value;
  do {
    bytes.push((rest % 128) | (rest >= 128 ? 128 : 0));
    rest = Math.floor(rest / 128);
  } while (rest > 0);
  return bytes;
};

const field = (number: number, content: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([...varint(number * 8 + 2), ...varint(content.length)]), content]);

/** Returns a message with nested lists in its metadata. */
function nested(depth: number): Buffer {
  let value: Buffer = Buffer.from([0x10 | 1, 0, 0, 0, 0, 0, 0, 0, 0]);
  // Value.list_value is 6, ListValue.values is 1.
  for (let level = 0; level < depth; level++) value = field(6, field(1, value));
  const entry = Buffer.concat([field(1, Buffer.from("a")), field(2, value)]);
  const metadata = field(1, entry);
  const message = Buffer.concat([field(1, Buffer.from("m")), Buffer.from([0x20, 1]), field(6, metadata)]);
  return field(2, message);
}
const depths = [10, 60, 120, 1_000, 3_000].map(nested);

/** Returns bytes that resemble a field, but may be invalid. */
const oddField = (random: SeededRandom): Buffer => {
  const tag = varint(random.pick([0, 1, 2, 3, 4, 5, 6, 7, 8, 15, 100, 536_870_911]) * 8 + random.below(8));
  const rest = random.pick<number[]>([
    [],
    [0],
    [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
    [0xff, 0xff, 0xff, 0xff, 0x0f],
    [3, 0xff, 0xfe, 0xfd],
    [2, 0xc0, 0xaf],
    [4, 0xed, 0xa0, 0x80, 0x41],
    [1, 0],
    Array.from({ length: 8 }, () => random.below(256)),
  ]);
  return Buffer.from([...tag, ...rest]);
};

function mutateMessage(message: Buffer, random: SeededRandom): Buffer {
  switch (random.below(8)) {
    case 0:
      return Buffer.concat([message, oddField(random)]);
    case 1:
      return Buffer.concat([oddField(random), message]);
    case 2: {
      const at = random.below(message.length + 1);
      return Buffer.concat([message.subarray(0, at), oddField(random), message.subarray(at)]);
    }
    case 3:
      // The same message twice, which protobuf merges.
      return Buffer.concat([message, message]);
    case 4:
      return random.chance(8)
        ? random.pick(depths)
        : Buffer.from(Array.from({ length: random.below(64) }, () => random.below(256)));
    case 5:
      return Buffer.alloc(0);
    default:
      return mutateBytes(message, random);
  }
}

/** Returns a gRPC body, usually one frame and usually malformed. */
function mutateFrames(message: Buffer, random: SeededRandom): { body: Buffer; encoding?: string } {
  const mutated = random.chance(4) ? message : mutateMessage(message, random);
  switch (random.below(12)) {
    case 0:
      return { body: frame(mutated, random.pick([1, 2, 3, 0x7f, 0x80, 0xff])) };
    case 1:
      return {
        body: frame(mutated, 0, random.pick([0, 1, mutated.length + 1, mutated.length - 1, 0x00ffffff, 0xffffffff])),
      };
    case 2:
      return { body: Buffer.concat([frame(mutated), frame(mutated)]) };
    case 3:
      return { body: frame(mutated).subarray(0, random.below(mutated.length + 5)) };
    case 4:
      return { body: Buffer.concat([frame(mutated), Buffer.from([0, 0, 0])]) };
    case 5:
      return {
        body: frame(gzipSync(mutated), 1),
        encoding: random.pick(["gzip", "gzip", "identity", "deflate", "snappy", ""]),
      };
    case 6:
      return { body: frame(mutated, 1), encoding: "gzip" };
    case 7:
      return { body: Buffer.from(mutateBytes(frame(mutated), random)) };
    default:
      return { body: frame(mutated) };
  }
}

const oddValues = [
  "",
  "1",
  "0.3",
  "1.1",
  "99",
  "latest",
  "null",
  "x".repeat(2_000),
  ",,,",
  "*",
  "1.0, 0.3",
  '"',
  "-1S",
];

function mutateMetadata(headers: Record<string, string>, random: SeededRandom): Record<string, string> {
  const mutated = { ...headers };
  if (!random.chance(3)) return mutated;
  switch (random.below(8)) {
    case 0:
      delete mutated["a2a-version"];
      break;
    case 1:
      mutated["a2a-version"] = random.pick(oddValues);
      break;
    case 2:
      mutated["grpc-timeout"] = random.pick(["", "1n", "0S", "1u", "5S", "99999999H", "-1S", "1X", "999999999S", "S"]);
      break;
    case 3:
      mutated["content-type"] = random.pick([
        "application/grpc+proto",
        "application/grpc+json",
        "application/grpc;x=1",
        "application/grpcx",
        "application/json",
        "APPLICATION/GRPC",
        "text/html",
      ]);
      break;
    case 4:
      mutated[":path"] = random.pick([
        "/",
        "/lf.a2a.v1.A2AService",
        "/lf.a2a.v1.A2AService/",
        "/lf.a2a.v1.A2AService/GetTask/",
        "/lf.a2a.v1.A2AService/getTask",
        "/lf.a2a.v1.A2AService/constructor",
        "/a2a.v1.A2AService/__proto__",
        "/lf.a2a.v1.A2AService/%47etTask",
        "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
        "/spec",
        `/${"x".repeat(3_000)}`,
      ]);
      break;
    case 5:
      mutated["a2a-extensions"] = random.pick(oddValues);
      break;
    case 6:
      mutated["authorization"] = random.pick([...oddValues, "Bearer agentbin-test-token"]);
      break;
    default:
      mutated[
        random.pick(["grpc-accept-encoding", "grpc-encoding", "x-bin-bin", "user-agent", "cookie", "x-api-key"])
      ] = random.pick(oddValues);
  }
  return mutated;
}

const statusOf = ({ head, trailers }: FuzzResponse): string | undefined =>
  (trailers["grpc-status"] ?? head["grpc-status"]) as string | undefined;

function problemOf({ service, operation, headers }: FuzzRequest, response: FuzzResponse): string | undefined {
  const { head, trailers, body, cut } = response;
  const type = headers["content-type"]!;
  if (head[":status"] === 415) return /^application\/grpc(\+proto)?(;|$)/i.test(type) ? "415 for gRPC" : undefined;
  // Without the gRPC content type this is a plain HTTP/2 request, and the path does not exist.
  if (!/^application\/grpc/i.test(type) && head[":status"] === 404) return undefined;
  if (head[":status"] !== 200) return `HTTP status ${head[":status"]}`;
  if (cut) return undefined;
  const status = statusOf(response);
  if (status === undefined) return "no grpc-status";
  if (["2", "13", "15"].includes(status)) return `grpc-status ${status}`;
  if (headers[":path"]!.startsWith("/grpc.reflection.")) return undefined;
  if (status === "4") return headers["grpc-timeout"] === undefined ? "DEADLINE_EXCEEDED without a deadline" : undefined;
  const message = decodeURIComponent(String(trailers["grpc-message"] ?? head["grpc-message"] ?? ""));
  if (/\n\s+at |node:internal|\.ts:\d|TypeError|RangeError/.test(message)) return "internal details in the response";
  if (status !== "0") {
    const details = trailers["grpc-status-details-bin"] ?? head["grpc-status-details-bin"];
    const told = readStatusDetails(Buffer.from(String(details ?? ""), "base64"));
    if (!told || String(told.code) !== status || told.message !== message) return "no details, or other ones";
    return isReason(told.details[0]?.["reason"]) ? undefined : "no reason";
  }
  for (let rest = body; rest.length; rest = rest.subarray(5 + rest.readUInt32BE(1))) {
    const answer = service.readAnswer(operation, rest.subarray(5, 5 + rest.readUInt32BE(1)));
    const { answer: shape } = operations[operation];
    const [violation] = service === grpcV10 && shape !== null ? validate(shape, answer) : [];
    if (violation) return `its answer breaks the schema at ${violation.path}: ${violation.message}`;
  }
  return undefined;
}

const show = ({ headers, body }: FuzzRequest, response: FuzzResponse | undefined): string =>
  `${JSON.stringify(headers)} ${body.toString("hex").slice(0, 2_000)}\n  ${JSON.stringify({ ...response, body: response?.body.toString("latin1").slice(0, 300) })}`;

type Calls = [operation: Operation, request: JsonObject][];

const calls10 = (taskId: string, waitingId: string): Calls =>
  [
    ["SendMessage", sending("message-only hello")],
    ["SendMessage", { ...sending("task-lifecycle x", { historyLength: 2 }), metadata: { a: { b: [1, null] } } }],
    ["SendMessage", { message: say("more", { taskId: waitingId }), configuration: { returnImmediately: true } }],
    [
      "SendMessage",
      {
        tenant: "echo",
        message: say("", { parts: [{ data: { x: 1 } }, { raw: "AAEC" }, { url: "https://a.example" }] }),
      },
    ],
    ["SendStreamingMessage", sending("task-lifecycle x", { acceptedOutputModes: ["text/plain"] })],
    ["GetTask", { id: taskId, historyLength: 3 }],
    ["ListTasks", { pageSize: 2, status: "TASK_STATE_COMPLETED", includeArtifacts: true, historyLength: 1 }],
    ["ListTasks", { tenant: "full", pageToken: "YQ.YQ", statusTimestampAfter: "2026-01-01T00:00:00Z" }],
    ["ListTasks", { tenant: "secure" }],
    ["CancelTask", { id: taskId, metadata: { reason: "fuzz" } }],
    ["SubscribeToTask", { id: waitingId }],
    ["CreateTaskPushNotificationConfig", { taskId, url: "http://127.0.0.1:9/hook", token: "t" }],
    ["GetTaskPushNotificationConfig", { tenant: "full", taskId, id: "c" }],
    ["ListTaskPushNotificationConfigs", { tenant: "full", taskId, pageSize: 5 }],
    ["DeleteTaskPushNotificationConfig", { tenant: "full", taskId, id: "c" }],
    ["GetExtendedAgentCard", {}],
    ["ListTasks", { tenant: "strict" }],
  ] as Calls;

const calls03 = (taskId: string, waitingId: string): Calls => {
  const content = [{ text: "task-lifecycle x" }, { data: { data: { a: 1 } } }, { file: { fileWithBytes: "AAEC" } }];
  const message = { messageId: "m", role: "ROLE_USER", content };
  const name = `tasks/${taskId}`;
  const config = {
    name: `${name}/pushNotificationConfigs/c`,
    pushNotificationConfig: { id: "c", url: "http://127.0.0.1:9/" },
  };
  return [
    ["SendMessage", { message, configuration: { blocking: true, historyLength: 1 } }],
    ["SendMessage", { message: { ...message, taskId: waitingId } }],
    ["SendStreamingMessage", { message, metadata: { a: [null] } }],
    ["GetTask", { name, historyLength: 2 }],
    ["CancelTask", { name }],
    ["SubscribeToTask", { name: `tasks/${waitingId}` }],
    ["CreateTaskPushNotificationConfig", { parent: name, configId: "c", config }],
    ["GetTaskPushNotificationConfig", { name: config.name }],
    ["ListTaskPushNotificationConfigs", { parent: name }],
    ["DeleteTaskPushNotificationConfig", { name: `${config.name}d` }],
    ["GetExtendedAgentCard", {}],
  ];
};

describe.each<[wire: "gRPC 1.0" | "gRPC 0.3", service: GrpcService, calls: typeof calls10]>([
  ["gRPC 1.0", grpcV10, calls10],
  ["gRPC 0.3", grpcV03, calls03],
])("%s", (wire, service, calls) => {
  const malformed = requestsOn(wire);
  /** Creates a task on the agent of this service. */
  async function made(text: string): Promise<string> {
    if (service === grpcV10) {
      return (await ask(`${bed.url}/spec`, "JSONRPC", "SendMessage", sending(text))).task!.id;
    }
    const message = { kind: "message", messageId: "m", role: "user", parts: [{ kind: "text", text }] };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "message/send", params: { message } });
    const headers = { "Content-Type": "application/json" };
    const answer = await plain(`${bed.url}/spec03`, { method: "POST", headers, body });
    return (JSON.parse(answer.text) as { result: { id: string } }).result.id;
  }

  test(
    `survives ${malformed} malformed calls with proper answers`,
    async () => {
      const prepare = async () => {
        const asked = calls(await made("task-lifecycle x"), await made("multi-turn x"));
        const targets = asked.map(([operation, request]) => ({
          operation,
          message: Buffer.from(service.writeRequest(operation, request)),
        }));
        return (random: SeededRandom): FuzzRequest => {
          const { operation, message } = random.pick(targets);
          const { body, encoding } = mutateFrames(message, random);
          const headers = {
            ":path": service.path(operation)!,
            "content-type": "application/grpc",
            "a2a-version": "1.0",
            ...(encoding === undefined ? {} : { "grpc-encoding": encoding }),
          };
          return { service, operation, headers: mutateMetadata(headers, random), body };
        };
      };
      await expectSurvival<FuzzRequest, FuzzResponse>({
        wire,
        bed,
        malformed,
        salt: wire === "gRPC 1.0" ? 0x7feb352d : 0x846ca68b,
        prepare,
        send,
        isRefused: (response) => response.head[":status"] !== 200 || (!response.cut && statusOf(response) !== "0"),
        problemOf,
        show,
      });
    },
    patience,
  );
});

test(
  "the server keeps working after malformed HTTP/2 bytes",
  async () => {
    const headers = headersFrame({
      ":method": "POST",
      ":scheme": "http",
      ":path": "/lf.a2a.v1.A2AService/ListTasks",
      ":authority": "localhost",
      "content-type": "application/grpc",
      te: "trailers",
      "a2a-version": "1.0",
    });
    const good = Buffer.concat([
      connectionPreface,
      headers,
      http2Frame(0, 1, 1, frame(Buffer.alloc(0))),
      http2Frame(6, 0, 0, Buffer.alloc(8)),
      http2Frame(8, 0, 0, Buffer.from([0, 0, 0, 1])),
    ]);
    const count = requestsOn("bytes of HTTP/2");
    let answered = 0;
    let unanswered = 0;
    let next = 0;
    const worker = async () => {
      while (next < count) {
        const random = randomFor(next++, 0x27d4eb2f);
        const mutations = random.below(4);
        let bytes = good;
        for (let mutation = 0; mutation < mutations; mutation++) bytes = Buffer.from(mutateBytes(bytes, random));
        let isAnswered = false;
        await new Promise<void>((resolve) => {
          const socket = connect(bed.port, "127.0.0.1", () => socket.write(bytes));
          // The server may wait for the rest of mutated bytes. Only unchanged bytes need a response.
          const enough = setTimeout(() => socket.destroy(), mutations === 0 ? 250_000 : 150);
          socket.on("data", () => {
            isAnswered = true;
            socket.destroy();
          });
          socket
            .on("error", () => {})
            .on("close", () => {
              clearTimeout(enough);
              resolve();
            });
        });
        if (isAnswered) answered++;
        else if (mutations === 0) unanswered++;
      }
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
    expect(bed.faults).toEqual([]);
    tally("bytes of HTTP/2", count, answered);
    expect([unanswered, answered > 0]).toEqual([0, true]);
    await expectNormalService(bed);
  },
  patience,
);
