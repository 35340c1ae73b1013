import { createServer as createHttp, type IncomingMessage, request, type ServerResponse } from "node:http";
import {
  type ClientHttp2Session,
  connect,
  createServer as createHttp2,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from "node:http2";
import { type AddressInfo, createServer, type Socket } from "node:net";
import type { JsonValue } from "@assay/protocol";
import { mutateBody, mutateBytes, type SeededRandom } from "./mutations.fixture.ts";

/** Which responses the proxy mutates. */
export interface MutationSettings {
  readonly random: SeededRandom;
  /** mutate one response in this many */
  readonly oneIn: number;
  readonly mutatesCard: boolean;
}

export interface MalformingProxy {
  readonly url: string;
  settings: MutationSettings;
  /** the number of responses mutated so far */
  readonly mutated: number;
  close(): Promise<void>;
}

/**
 * Starts a proxy in front of the test bed that mutates responses: bodies, status lines, headers, events, gRPC frames and
 * trailers, and where they end. It passes the others unchanged, so that a tester reaches later requests, too.
 */
export async function startMalformingProxy(behind: string, settings: MutationSettings): Promise<MalformingProxy> {
  const { port } = new URL(behind);
  const state = { settings, mutated: 0 };
  const sockets = new Set<Socket>();
  const isMutated = (isCard: boolean): boolean => {
    const { random, oneIn, mutatesCard } = state.settings;
    const isChosen = isCard ? mutatesCard : random.chance(oneIn);
    if (isChosen) state.mutated += 1;
    return isChosen;
  };
  const http = createHttp((incoming, response) => {
    const isCard = (incoming.url ?? "").includes("/.well-known/");
    passHttp(port, incoming, response, () => (isMutated(isCard) ? state.settings.random : undefined));
  });
  let upstream: ClientHttp2Session | undefined;
  // The server ends a session in which a client cancels too many calls.
  const session = (): ClientHttp2Session => {
    if (!upstream || upstream.closed || upstream.destroyed) {
      upstream = connect(`http://127.0.0.1:${port}`);
      upstream.on("error", () => {});
    }
    return upstream;
  };
  const http2 = createHttp2();
  http2.on("sessionError", () => {});
  http2.on("stream", (stream, headers) => {
    const call = session().request(headers);
    stream.on("error", () => call.close());
    stream.on("close", () => call.close());
    stream.pipe(call);
    passGrpc(call, stream, () => (isMutated(false) ? state.settings.random : undefined));
  });
  // The card declares one port for both protocols. HTTP/2 connections start with a preface.
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => {});
    socket.once("data", (first: Buffer) => {
      socket.pause();
      (first.subarray(0, 3).toString() === "PRI" ? http2 : http).emit("connection", socket);
      socket.unshift(first);
      socket.resume();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get settings() {
      return state.settings;
    },
    set settings(next) {
      state.settings = next;
    },
    get mutated() {
      return state.mutated;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      upstream?.destroy();
      http.close();
      http2.close();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Returns undefined if this response passes unchanged. */
type Choice = () => SeededRandom | undefined;

/** Forwards a request. It keeps the Host header, so that the card has the address of the proxy. */
function passHttp(port: string, incoming: IncomingMessage, response: ServerResponse, choose: Choice): void {
  const { method, url, headers } = incoming;
  const onward = request({ host: "127.0.0.1", port, method, path: url, headers }, (answer) => {
    const random = choose();
    if (!random) {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      return;
    }
    if (/event-stream/.test(answer.headers["content-type"] ?? "")) mutateStream(answer, response, random);
    else
      void wholeOf(answer).then((body) => {
        response.socket?.end(mutatedAnswer(answer, body, random));
      });
  });
  onward.on("error", () => response.destroy());
  response.on("close", () => onward.destroy());
  incoming.pipe(onward);
}

async function wholeOf(flow: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of flow) chunks.push(chunk);
  } catch {
    // The server ended the connection: use the bytes that arrived.
  }
  return Buffer.concat(chunks);
}

const statusLines = [
  "HTTP/1.1 200 OK",
  "HTTP/1.1 200",
  "HTTP/1.0 200 OK",
  "HTTP/1.1 204 No Content",
  "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK",
  "HTTP/1.1 302 Found\r\nLocation: /elsewhere",
  "HTTP/1.1 304 Not Modified",
  'HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: ,,=,"',
  "HTTP/1.1 402 Payment Required",
  "HTTP/1.1 418 \u00e9\u009b",
  "HTTP/1.1 429 Slow\r\nRetry-After: soon",
  "HTTP/1.1 500 Oops",
  "HTTP/1.1 599 ?",
  "HTTP/1.1 999 ?",
  "HTTP/2 200",
  "ICY 200 OK",
  "",
];
const types = [
  "application/json",
  "application/a2a+json",
  "text/event-stream",
  "text/html",
  "application/grpc",
  "text/event-stream; charset=\u00ff",
  "",
  "/",
];
const extraHeaders = [
  "Content-Encoding: gzip",
  "Content-Encoding: br, gzip",
  "Transfer-Encoding: chunked",
  "A2A-Version: \u00e9",
  "A2A-Extensions: ,,,",
  "Retry-After: -1",
  'ETag: "',
  "Cache-Control: max-age=-",
  "Last-Modified: never",
  "__proto__: x",
  " folded: x",
  "no colon",
  `X-Long: ${"x".repeat(40_000)}`,
];

/** Returns a response as bytes, with one or more mutations. */
function mutatedAnswer(answer: IncomingMessage, body: Buffer, random: SeededRandom): Buffer {
  const mutated = mutatedBody(body, random);
  const status = random.chance(4)
    ? random.pick(statusLines)
    : `HTTP/1.1 ${answer.statusCode} ${answer.statusMessage ?? ""}`;
  const type = random.chance(5) ? random.pick(types) : (answer.headers["content-type"] ?? "");
  const length = random.chance(8) ? mutated.length + random.below(50) - 25 : mutated.length;
  const extra = random.chance(5) ? `${random.pick(extraHeaders)}\r\n` : "";
  const head = `${status}\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n${extra}Connection: close\r\n\r\n`;
  const whole = Buffer.concat([Buffer.from(head, "latin1"), mutated]);
  return random.chance(20) ? mutateBytes(whole, random) : whole;
}

function mutatedBody(body: Buffer, random: SeededRandom): Buffer {
  if (random.chance(10))
    return random.pick([Buffer.alloc(0), Buffer.from("null"), Buffer.from("[]"), Buffer.from("{"), body]);
  try {
    return mutateBody(JSON.parse(body.toString("utf8")) as JsonValue, random);
  } catch {
    return mutateBytes(body, random);
  }
}

const oddLines = [
  "data",
  "data:",
  ": comment",
  "event: \u0000",
  "id: \u202e",
  "retry: soon",
  "retry: 99999999999999999999",
  "\ufeffdata: {}",
  "data: [DONE]",
  "nonsense",
  `data: ${"x".repeat(70_000)}`,
  "",
];

/** Passes the events of a stream as they arrive. Mutates, drops or splits some, and sometimes ends the stream early. */
function mutateStream(answer: IncomingMessage, response: ServerResponse, random: SeededRandom): void {
  response.writeHead(random.chance(10) ? random.pick([204, 206, 400, 500]) : 200, {
    "Content-Type": random.chance(10) ? "application/json" : "text/event-stream",
  });
  let text = "";
  answer.setEncoding("utf8").on("data", (chunk: string) => {
    const events = (text + chunk).split("\n\n");
    text = events.pop() ?? "";
    for (const event of events) {
      if (random.chance(30)) response.destroy();
      if (response.destroyed || random.chance(10)) continue;
      const mutated = random.chance(2) ? event : mutatedEvent(event, random);
      response.write(`${mutated}${random.pick(["\n\n", "\n\n", "\r\n\r\n", "\r\r", "\n"])}`);
      if (random.chance(10)) response.write(`${random.pick(oddLines)}\n\n`);
    }
  });
  answer.on("end", () => response.end(text));
  answer.on("error", () => response.destroy());
}

const mutatedEvent = (event: string, random: SeededRandom): string =>
  event.replace(/^data: ?(.*)$/gm, (_line, data: string) => {
    const body = mutatedBody(Buffer.from(data), random).toString(random.chance(8) ? "latin1" : "utf8");
    return random.chance(6) ? body.replaceAll(",", ",\ndata: ") : `data: ${body}`;
  });

const oddStatuses = ["", "0", "-1", "1.5", "OK", "17", "99999999999", "0x5", "5, 13", "13"];
const oddTypes = ["application/grpc", "application/grpc+json", "application/json", "text/html", ""];

/** Passes a gRPC call with mutated frames, lengths, flags, metadata or trailers, or resets the stream. */
function passGrpc(
  call: ReturnType<ReturnType<typeof connect>["request"]>,
  stream: ServerHttp2Stream,
  choose: Choice,
): void {
  let head: IncomingHttpHeaders = {};
  let trailers: IncomingHttpHeaders = {};
  call.on("response", (headers) => {
    head = headers;
  });
  call.on("trailers", (fields) => {
    trailers = fields;
  });
  call.on("error", () => stream.close());
  const ended = wholeOf(call);
  void ended.then((data) => {
    if (stream.destroyed || stream.closed) return;
    const random = choose();
    if (random?.chance(12)) return stream.close(random.below(14));
    const type = random?.chance(10) ? random.pick(oddTypes) : String(head["content-type"] ?? "application/grpc");
    const status = random?.chance(12) ? random.pick([200, 204, 400, 404, 415, 503]) : Number(head[":status"] ?? 200);
    stream.respond({ ":status": status, "content-type": type }, { waitForTrailers: true });
    stream.on("wantTrailers", () => {
      const bin = trailers["grpc-status-details-bin"] as string | undefined;
      const given = {
        "grpc-status": String(trailers["grpc-status"] ?? head["grpc-status"] ?? "0"),
        ...(trailers["grpc-message"] !== undefined && { "grpc-message": String(trailers["grpc-message"]) }),
        ...(bin !== undefined && { "grpc-status-details-bin": bin }),
      };
      if (random?.chance(15)) return stream.close();
      stream.sendTrailers(random ? mutatedTrailers(given, random) : given);
    });
    stream.end(random && !random.chance(4) ? mutatedFrames(data, random) : data);
  });
}

function mutatedFrames(data: Buffer, random: SeededRandom): Buffer {
  const copy = Buffer.from(data);
  switch (random.below(5)) {
    case 0:
      // A wrong length.
      if (copy.length >= 5) copy.writeUInt32BE(random.pick([0, 1, copy.length, 2 ** 31, 2 ** 32 - 1]), 1);
      return copy;
    case 1:
      // A flag for a compression that was not used.
      if (copy.length) copy[0] = random.pick([1, 2, 128, 255]);
      return copy;
    case 2:
      return Buffer.concat([copy, copy]);
    default: {
      // A mutated message in a frame with the correct length.
      const message = mutateBytes(copy.subarray(5), random);
      const header = Buffer.alloc(5);
      header.writeUInt32BE(message.length, 1);
      return Buffer.concat([header, message]);
    }
  }
}

function mutatedTrailers(fields: Record<string, string>, random: SeededRandom): Record<string, string> {
  if (random.chance(4)) return { ...fields, "grpc-status": random.pick(oddStatuses) };
  if (random.chance(4))
    return { ...fields, "grpc-message": random.pick(["%", "%zz", "%ff%fe", "%e2%80%ae", "a".repeat(5_000)]) };
  if (random.chance(4)) {
    const bin = Buffer.from(fields["grpc-status-details-bin"] ?? "CAUSAnh4", "base64");
    return {
      ...fields,
      "grpc-status-details-bin": random.chance(3) ? "*" : mutateBytes(bin, random).toString("base64"),
    };
  }
  const { "grpc-status": _, ...rest } = fields;
  return random.chance(6) ? rest : fields;
}
