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
import { concurrency, diceFor, expectSurvival, isReason, patience, requestsOn, seed, tally } from "./fuzz.fixture.ts";
import { bendBytes, type Dice } from "./mutations.fixture.ts";

const bed = useTestbed({ maxTasks: 2_000 });
beforeAll(() => console.log(`fuzz: ASSAY_FUZZ_SEED=${seed}`));

interface Shot {
  readonly service: GrpcService;
  readonly operation: Operation;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

interface Hit {
  readonly head: IncomingHttpHeaders & IncomingHttpStatusHeader;
  readonly trailers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** the stream had more to say than its first message */
  readonly cut: boolean;
}

let connection: ClientHttp2Session | undefined;
afterAll(() => connection?.destroy());

/** One connection for all calls, as gRPC clients have it; another one only if the server has closed it. */
function lane(): ClientHttp2Session {
  if (!connection || connection.closed || connection.destroyed) {
    connection = connectHttp2(bed.url);
    connection.on("error", () => {});
  }
  return connection;
}

function fire({ headers, body }: Shot): Promise<Hit> {
  return new Promise((resolve, reject) => {
    const stream = lane().request({ ":method": "POST", te: "trailers", ...headers });
    const chunks: Buffer[] = [];
    let head: Hit["head"] = {};
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
      // It may rightly stay open: its first message is enough.
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

// Messages that are right, and how they go wrong.

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

/** Lists within lists within a message's metadata, as deep as asked for. */
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

/** Bytes that look like a field, and may be none. */
const oddField = (dice: Dice): Buffer => {
  const tag = varint(dice.pick([0, 1, 2, 3, 4, 5, 6, 7, 8, 15, 100, 536_870_911]) * 8 + dice.roll(8));
  const rest = dice.pick<number[]>([
    [],
    [0],
    [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
    [0xff, 0xff, 0xff, 0xff, 0x0f],
    [3, 0xff, 0xfe, 0xfd],
    [2, 0xc0, 0xaf],
    [4, 0xed, 0xa0, 0x80, 0x41],
    [1, 0],
    Array.from({ length: 8 }, () => dice.roll(256)),
  ]);
  return Buffer.from([...tag, ...rest]);
};

function bendMessage(message: Buffer, dice: Dice): Buffer {
  switch (dice.roll(8)) {
    case 0:
      return Buffer.concat([message, oddField(dice)]);
    case 1:
      return Buffer.concat([oddField(dice), message]);
    case 2: {
      const at = dice.roll(message.length + 1);
      return Buffer.concat([message.subarray(0, at), oddField(dice), message.subarray(at)]);
    }
    case 3:
      // The same message twice: protobuf merges them.
      return Buffer.concat([message, message]);
    case 4:
      return dice.chance(8)
        ? dice.pick(depths)
        : Buffer.from(Array.from({ length: dice.roll(64) }, () => dice.roll(256)));
    case 5:
      return Buffer.alloc(0);
    default:
      return bendBytes(message, dice);
  }
}

/** A body of gRPC: usually one frame, and seldom as it should be. */
function bendFrames(message: Buffer, dice: Dice): { body: Buffer; encoding?: string } {
  const bent = dice.chance(4) ? message : bendMessage(message, dice);
  switch (dice.roll(12)) {
    case 0:
      return { body: frame(bent, dice.pick([1, 2, 3, 0x7f, 0x80, 0xff])) };
    case 1:
      return { body: frame(bent, 0, dice.pick([0, 1, bent.length + 1, bent.length - 1, 0x00ffffff, 0xffffffff])) };
    case 2:
      return { body: Buffer.concat([frame(bent), frame(bent)]) };
    case 3:
      return { body: frame(bent).subarray(0, dice.roll(bent.length + 5)) };
    case 4:
      return { body: Buffer.concat([frame(bent), Buffer.from([0, 0, 0])]) };
    case 5:
      return {
        body: frame(gzipSync(bent), 1),
        encoding: dice.pick(["gzip", "gzip", "identity", "deflate", "snappy", ""]),
      };
    case 6:
      return { body: frame(bent, 1), encoding: "gzip" };
    case 7:
      return { body: Buffer.from(bendBytes(frame(bent), dice)) };
    default:
      return { body: frame(bent) };
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

function bendMetadata(headers: Record<string, string>, dice: Dice): Record<string, string> {
  const bent = { ...headers };
  if (!dice.chance(3)) return bent;
  switch (dice.roll(8)) {
    case 0:
      delete bent["a2a-version"];
      break;
    case 1:
      bent["a2a-version"] = dice.pick(oddValues);
      break;
    case 2:
      bent["grpc-timeout"] = dice.pick(["", "1n", "0S", "1u", "5S", "99999999H", "-1S", "1X", "999999999S", "S"]);
      break;
    case 3:
      bent["content-type"] = dice.pick([
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
      bent[":path"] = dice.pick([
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
      bent["a2a-extensions"] = dice.pick(oddValues);
      break;
    case 6:
      bent["authorization"] = dice.pick([...oddValues, "Bearer agentbin-test-token"]);
      break;
    default:
      bent[dice.pick(["grpc-accept-encoding", "grpc-encoding", "x-bin-bin", "user-agent", "cookie", "x-api-key"])] =
        dice.pick(oddValues);
  }
  return bent;
}

const statusOf = ({ head, trailers }: Hit): string | undefined =>
  (trailers["grpc-status"] ?? head["grpc-status"]) as string | undefined;

function problemOf({ service, operation, headers }: Shot, hit: Hit): string | undefined {
  const { head, trailers, body, cut } = hit;
  const type = headers["content-type"]!;
  if (head[":status"] === 415) return /^application\/grpc(\+proto)?(;|$)/i.test(type) ? "415 for gRPC" : undefined;
  // Anything that does not say it is gRPC is a request of HTTP/2, and there is nothing at that path.
  if (!/^application\/grpc/i.test(type) && head[":status"] === 404) return undefined;
  if (head[":status"] !== 200) return `HTTP status ${head[":status"]}`;
  if (cut) return undefined;
  const status = statusOf(hit);
  if (status === undefined) return "no grpc-status";
  if (["2", "13", "15"].includes(status)) return `grpc-status ${status}`;
  if (headers[":path"]!.startsWith("/grpc.reflection.")) return undefined;
  if (status === "4") return headers["grpc-timeout"] === undefined ? "a deadline nobody set" : undefined;
  const message = decodeURIComponent(String(trailers["grpc-message"] ?? head["grpc-message"] ?? ""));
  if (/\n\s+at |node:internal|\.ts:\d|TypeError|RangeError/.test(message)) return "our inside shows";
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

const show = ({ headers, body }: Shot, hit: Hit | undefined): string =>
  `${JSON.stringify(headers)} ${body.toString("hex").slice(0, 2_000)}\n  ${JSON.stringify({ ...hit, body: hit?.body.toString("latin1").slice(0, 300) })}`;

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
  /** A task of the agent at home in this service. */
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
      const aim = async () => {
        const asked = calls(await made("task-lifecycle x"), await made("multi-turn x"));
        const targets = asked.map(([operation, request]) => ({
          operation,
          message: Buffer.from(service.writeRequest(operation, request)),
        }));
        return (dice: Dice): Shot => {
          const { operation, message } = dice.pick(targets);
          const { body, encoding } = bendFrames(message, dice);
          const headers = {
            ":path": service.path(operation)!,
            "content-type": "application/grpc",
            "a2a-version": "1.0",
            ...(encoding === undefined ? {} : { "grpc-encoding": encoding }),
          };
          return { service, operation, headers: bendMetadata(headers, dice), body };
        };
      };
      await expectSurvival<Shot, Hit>({
        wire,
        bed,
        malformed,
        salt: wire === "gRPC 1.0" ? 0x7feb352d : 0x846ca68b,
        aim,
        fire,
        isRefused: (hit) => hit.head[":status"] !== 200 || (!hit.cut && statusOf(hit) !== "0"),
        problemOf,
        show,
      });
    },
    patience,
  );
});

test(
  "bytes on the socket that are almost HTTP/2 harm nobody",
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
    const speaker = async () => {
      while (next < count) {
        const dice = diceFor(next++, 0x27d4eb2f);
        const bends = dice.roll(4);
        let bytes = good;
        for (let bend = 0; bend < bends; bend++) bytes = Buffer.from(bendBytes(bytes, dice));
        let isAnswered = false;
        await new Promise<void>((resolve) => {
          const socket = connect(bed.port, "127.0.0.1", () => socket.write(bytes));
          // It may wait for more, rightly, where something was bent: what matters is that the others are answered.
          const enough = setTimeout(() => socket.destroy(), bends === 0 ? 250_000 : 150);
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
        else if (bends === 0) unanswered++;
      }
    };
    await Promise.all(Array.from({ length: concurrency }, speaker));
    expect(bed.faults).toEqual([]);
    tally("bytes of HTTP/2", count, answered);
    expect([unanswered, answered > 0]).toEqual([0, true]);
    await expectNormalService(bed);
  },
  patience,
);
