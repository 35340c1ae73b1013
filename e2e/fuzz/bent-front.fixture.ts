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
import { bendBody, bendBytes, type Dice } from "./mutations.fixture.ts";

/** How much of what an agent answers is bent. */
export interface Bending {
  readonly dice: Dice;
  /** one answer in so many */
  readonly oneIn: number;
  readonly bendsCard: boolean;
}

export interface BentFront {
  readonly url: string;
  bending: Bending;
  /** how many answers were bent so far */
  readonly bent: number;
  close(): Promise<void>;
}

/**
 * Stands before the test bed and bends its answers: bodies, status lines, headers, events, gRPC frames and trailers, and
 * where they end. What is not bent passes as it is, so that a tester gets far enough to see more.
 */
export async function startBentFront(behind: string, bending: Bending): Promise<BentFront> {
  const { port } = new URL(behind);
  const state = { bending, bent: 0 };
  const sockets = new Set<Socket>();
  const isBent = (isCard: boolean): boolean => {
    const { dice, oneIn, bendsCard } = state.bending;
    const isChosen = isCard ? bendsCard : dice.chance(oneIn);
    if (isChosen) state.bent += 1;
    return isChosen;
  };
  const http = createHttp((incoming, response) => {
    const isCard = (incoming.url ?? "").includes("/.well-known/");
    passHttp(port, incoming, response, () => (isBent(isCard) ? state.bending.dice : undefined));
  });
  let upstream: ClientHttp2Session | undefined;
  // Calls that are given up too often make a server end the session.
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
    passGrpc(call, stream, () => (isBent(false) ? state.bending.dice : undefined));
  });
  // Both on one port, as the card says: whoever speaks HTTP/2 begins with its preface.
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
    get bending() {
      return state.bending;
    },
    set bending(next) {
      state.bending = next;
    },
    get bent() {
      return state.bent;
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

/** Undefined where this answer passes as it is. */
type Choice = () => Dice | undefined;

/** The Host stays, so that the card behind names the front. */
function passHttp(port: string, incoming: IncomingMessage, response: ServerResponse, choose: Choice): void {
  const { method, url, headers } = incoming;
  const onward = request({ host: "127.0.0.1", port, method, path: url, headers }, (answer) => {
    const dice = choose();
    if (!dice) {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      return;
    }
    if (/event-stream/.test(answer.headers["content-type"] ?? "")) bendStream(answer, response, dice);
    else
      void wholeOf(answer).then((body) => {
        response.socket?.end(bentAnswer(answer, body, dice));
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
    // Cut off behind us: what came is what there is.
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

/** An answer as bytes, wrong in one way or several. */
function bentAnswer(answer: IncomingMessage, body: Buffer, dice: Dice): Buffer {
  const bent = bentBody(body, dice);
  const status = dice.chance(4)
    ? dice.pick(statusLines)
    : `HTTP/1.1 ${answer.statusCode} ${answer.statusMessage ?? ""}`;
  const type = dice.chance(5) ? dice.pick(types) : (answer.headers["content-type"] ?? "");
  const length = dice.chance(8) ? bent.length + dice.roll(50) - 25 : bent.length;
  const extra = dice.chance(5) ? `${dice.pick(extraHeaders)}\r\n` : "";
  const head = `${status}\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n${extra}Connection: close\r\n\r\n`;
  const whole = Buffer.concat([Buffer.from(head, "latin1"), bent]);
  return dice.chance(20) ? bendBytes(whole, dice) : whole;
}

function bentBody(body: Buffer, dice: Dice): Buffer {
  if (dice.chance(10))
    return dice.pick([Buffer.alloc(0), Buffer.from("null"), Buffer.from("[]"), Buffer.from("{"), body]);
  try {
    return bendBody(JSON.parse(body.toString("utf8")) as JsonValue, dice);
  } catch {
    return bendBytes(body, dice);
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

/** Event by event, as they come: some bent, doubled, left out or split; now and then the stream breaks off. */
function bendStream(answer: IncomingMessage, response: ServerResponse, dice: Dice): void {
  response.writeHead(dice.chance(10) ? dice.pick([204, 206, 400, 500]) : 200, {
    "Content-Type": dice.chance(10) ? "application/json" : "text/event-stream",
  });
  let text = "";
  answer.setEncoding("utf8").on("data", (chunk: string) => {
    const events = (text + chunk).split("\n\n");
    text = events.pop() ?? "";
    for (const event of events) {
      if (dice.chance(30)) response.destroy();
      if (response.destroyed || dice.chance(10)) continue;
      const bent = dice.chance(2) ? event : bentEvent(event, dice);
      response.write(`${bent}${dice.pick(["\n\n", "\n\n", "\r\n\r\n", "\r\r", "\n"])}`);
      if (dice.chance(10)) response.write(`${dice.pick(oddLines)}\n\n`);
    }
  });
  answer.on("end", () => response.end(text));
  answer.on("error", () => response.destroy());
}

const bentEvent = (event: string, dice: Dice): string =>
  event.replace(/^data: ?(.*)$/gm, (_line, data: string) => {
    const body = bentBody(Buffer.from(data), dice).toString(dice.chance(8) ? "latin1" : "utf8");
    return dice.chance(6) ? body.replaceAll(",", ",\ndata: ") : `data: ${body}`;
  });

const oddStatuses = ["", "0", "-1", "1.5", "OK", "17", "99999999999", "0x5", "5, 13", "13"];
const oddTypes = ["application/grpc", "application/grpc+json", "application/json", "text/html", ""];

/** gRPC: bent frames, lengths, flags, metadata and trailers; or the stream is reset. */
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
    const dice = choose();
    if (dice?.chance(12)) return stream.close(dice.roll(14));
    const type = dice?.chance(10) ? dice.pick(oddTypes) : String(head["content-type"] ?? "application/grpc");
    const status = dice?.chance(12) ? dice.pick([200, 204, 400, 404, 415, 503]) : Number(head[":status"] ?? 200);
    stream.respond({ ":status": status, "content-type": type }, { waitForTrailers: true });
    stream.on("wantTrailers", () => {
      const bin = trailers["grpc-status-details-bin"] as string | undefined;
      const given = {
        "grpc-status": String(trailers["grpc-status"] ?? head["grpc-status"] ?? "0"),
        ...(trailers["grpc-message"] !== undefined && { "grpc-message": String(trailers["grpc-message"]) }),
        ...(bin !== undefined && { "grpc-status-details-bin": bin }),
      };
      if (dice?.chance(15)) return stream.close();
      stream.sendTrailers(dice ? bentTrailers(given, dice) : given);
    });
    stream.end(dice && !dice.chance(4) ? bentFrames(data, dice) : data);
  });
}

function bentFrames(data: Buffer, dice: Dice): Buffer {
  const copy = Buffer.from(data);
  switch (dice.roll(5)) {
    case 0:
      // A length that is not true.
      if (copy.length >= 5) copy.writeUInt32BE(dice.pick([0, 1, copy.length, 2 ** 31, 2 ** 32 - 1]), 1);
      return copy;
    case 1:
      // A flag that announces what is not there.
      if (copy.length) copy[0] = dice.pick([1, 2, 128, 255]);
      return copy;
    case 2:
      return Buffer.concat([copy, copy]);
    default: {
      // The message itself, in a frame of the right length.
      const message = bendBytes(copy.subarray(5), dice);
      const header = Buffer.alloc(5);
      header.writeUInt32BE(message.length, 1);
      return Buffer.concat([header, message]);
    }
  }
}

function bentTrailers(fields: Record<string, string>, dice: Dice): Record<string, string> {
  if (dice.chance(4)) return { ...fields, "grpc-status": dice.pick(oddStatuses) };
  if (dice.chance(4))
    return { ...fields, "grpc-message": dice.pick(["%", "%zz", "%ff%fe", "%e2%80%ae", "a".repeat(5_000)]) };
  if (dice.chance(4)) {
    const bin = Buffer.from(fields["grpc-status-details-bin"] ?? "CAUSAnh4", "base64");
    return { ...fields, "grpc-status-details-bin": dice.chance(3) ? "*" : bendBytes(bin, dice).toString("base64") };
  }
  const { "grpc-status": _, ...rest } = fields;
  return dice.chance(6) ? rest : fields;
}
