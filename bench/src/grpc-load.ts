import { connect as connectHttp2 } from "node:http2";
import { connect, type Socket } from "node:net";
import { flags, frame, headLength, literal, preface, types } from "./http2-frames.ts";

/**
 * A cheap load driver for gRPC. It prepares HTTP/2 frames once and changes only their stream numbers, and it reads only
 * the frame heads of responses. Node's own client would cost more than the servers.
 */
export interface GrpcLoad {
  /** Makes as many calls as possible over all connections, several at a time on each. */
  hammer(milliseconds: number): Promise<{ calls: number; seconds: number }>;
  /** Makes one call and returns its milliseconds. */
  once(): Promise<number>;
  close(): void;
}

const callsAtOnce = 8;

export async function grpcLoad(url: string, path: string, message: Uint8Array, connections = 4): Promise<GrpcLoad> {
  const { host, hostname, port } = new URL(url);
  await checkOnce(url, path, message);
  const request = requestFrames(host, path, message);
  const open = await Promise.all(
    Array.from({ length: connections }, () => Connection.open(hostname, Number(port), request)),
  );
  return {
    async hammer(milliseconds) {
      const started = performance.now();
      let calls = 0;
      const lane = async (connection: Connection) => {
        while (performance.now() - started < milliseconds) {
          await connection.call();
          calls++;
        }
      };
      await Promise.all(open.flatMap((each) => Array.from({ length: callsAtOnce }, () => lane(each))));
      return { calls, seconds: (performance.now() - started) / 1000 };
    },
    async once() {
      const started = performance.now();
      await open[0]!.call();
      return performance.now() - started;
    },
    close() {
      for (const connection of open) connection.close();
    },
  };
}

/** The largest window size of HTTP/2, so that flow control never limits the load. */
const widest = 2 ** 31 - 1;

interface RequestFrames {
  readonly bytes: Buffer;
  /** offsets of the stream number */
  readonly streamAt: readonly number[];
}

function requestFrames(authority: string, path: string, message: Uint8Array): RequestFrames {
  const headers = Object.entries({
    ":method": "POST",
    ":scheme": "http",
    ":path": path,
    ":authority": authority,
    "content-type": "application/grpc+proto",
    te: "trailers",
    "a2a-version": "1.0",
  }).map(([name, value]) => literal(name, value));
  const head = frame(types.headers, flags.endHeaders, 0, Buffer.concat(headers));
  const body = frame(types.data, flags.endStream, 0, grpcMessage(message));
  return { bytes: Buffer.concat([head, body]), streamAt: [5, head.length + 5] };
}

function grpcMessage(message: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

function opening(): Buffer {
  const settings = Buffer.alloc(6);
  settings.writeUInt16BE(4, 0); // SETTINGS_INITIAL_WINDOW_SIZE
  settings.writeUInt32BE(widest, 2);
  const wider = Buffer.alloc(4);
  wider.writeUInt32BE(widest - 65_535);
  return Buffer.concat([preface, frame(types.settings, 0, 0, settings), frame(types.windowUpdate, 0, 0, wider)]);
}

interface PendingCall {
  /** a gRPC error has no message, only a status */
  answered: boolean;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

class Connection {
  readonly #socket: Socket;
  readonly #request: RequestFrames;
  readonly #pending = new Map<number, PendingCall>();
  #next = 1;
  #rest: Buffer = Buffer.alloc(0);

  static open(host: string, port: number, request: RequestFrames): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host, port, noDelay: true });
      socket.once("error", reject).once("connect", () => resolve(new Connection(socket, request)));
    });
  }

  constructor(socket: Socket, request: RequestFrames) {
    this.#socket = socket;
    this.#request = request;
    socket.on("data", (chunk) => this.#read(chunk)).on("close", () => this.#fail("the connection was closed"));
    socket.write(opening());
  }

  call(): Promise<void> {
    return new Promise((resolve, reject) => {
      const stream = this.#next;
      this.#next += 2;
      this.#pending.set(stream, { answered: false, resolve, reject });
      const bytes = Buffer.from(this.#request.bytes);
      for (const at of this.#request.streamAt) bytes.writeUInt32BE(stream, at);
      this.#socket.write(bytes);
    });
  }

  close(): void {
    this.#pending.clear();
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    const bytes = this.#rest.length ? Buffer.concat([this.#rest, chunk]) : chunk;
    let at = 0;
    while (bytes.length - at >= headLength) {
      const end = at + headLength + bytes.readUIntBE(at, 3);
      if (end > bytes.length) break;
      this.#frame(bytes[at + 3]!, bytes[at + 4]!, bytes.readUInt32BE(at + 5), bytes.subarray(at + headLength, end));
      at = end;
    }
    this.#rest = bytes.subarray(at);
  }

  #frame(type: number, flag: number, stream: number, payload: Buffer): void {
    if (type === types.settings && !(flag & flags.ack)) this.#socket.write(frame(type, flags.ack, 0, Buffer.alloc(0)));
    else if (type === types.ping && !(flag & flags.ack)) this.#socket.write(frame(type, flags.ack, 0, payload));
    else if (type === types.reset || type === types.goAway) this.#fail(`the server sent a frame of type ${type}`);
    else if (type === types.data || type === types.headers) this.#answer(type, flag, stream, payload.length);
  }

  #answer(type: number, flag: number, stream: number, length: number): void {
    const call = this.#pending.get(stream);
    if (!call) return;
    if (type === types.data && length > 0) call.answered = true;
    if (!(flag & flags.endStream)) return;
    this.#pending.delete(stream);
    if (call.answered) call.resolve();
    else call.reject(new Error("a call was answered without a message"));
  }

  #fail(why: string): void {
    for (const { reject } of this.#pending.values()) reject(new Error(why));
    this.#pending.clear();
  }
}

/** Makes one call with Node's own client and checks that it succeeds, because the driver does not. */
function checkOnce(url: string, path: string, message: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    const session = connectHttp2(new URL(url).origin);
    const stream = session.request({
      ":method": "POST",
      ":path": path,
      "content-type": "application/grpc+proto",
      te: "trailers",
      "a2a-version": "1.0",
    });
    let status = "";
    stream.on("response", (headers) => {
      status ||= String(headers["grpc-status"] ?? "");
    });
    stream.on("trailers", (trailers) => {
      status ||= String(trailers["grpc-status"] ?? "");
    });
    stream.on("error", reject).resume();
    stream.on("end", () => {
      session.close();
      if (status === "0") resolve();
      else reject(new Error(`${path}: grpc-status ${status}`));
    });
    stream.end(grpcMessage(message));
  });
}
