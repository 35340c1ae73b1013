import { createServer, type Socket } from "node:net";
import { listen } from "../client/peers.fixture.ts";

/** Frame types of HTTP/2 (RFC 9113 §6), for servers that misbehave in ways that Node's own server cannot. */
const types = { data: 0, headers: 1, reset: 3, settings: 4, ping: 6, goaway: 7 } as const;
const endStream = 1;
const endHeaders = 4;
const prefaceLength = 24;

/** A received call, with methods to send any frames in response. */
export interface RawCall {
  readonly socket: Socket;
  head(fields: Readonly<Record<string, string>>, options?: { end?: boolean }): RawCall;
  data(bytes: Uint8Array, options?: { end?: boolean }): RawCall;
  reset(code: number): RawCall;
  goaway(code: number, lastStream: number): RawCall;
  ping(): RawCall;
}

/** Starts an HTTP/2 server that passes each call to `answer`, and the code of each RST_STREAM to `onReset`. */
export async function framePeer(answer: (call: RawCall) => void, onReset?: (code: number) => void): Promise<string> {
  const server = createServer((socket) => {
    let seen = Buffer.alloc(0);
    let greeted = false;
    socket.on("data", (chunk: Buffer) => {
      seen = Buffer.concat([seen, chunk]);
      if (!greeted && seen.length >= prefaceLength) {
        greeted = true;
        seen = seen.subarray(prefaceLength);
        socket.write(frameOf(types.settings, 0, 0));
      }
      while (greeted && seen.length >= 9 && seen.length >= 9 + seen.readUIntBE(0, 3)) {
        const [length, type, flags, stream] = [seen.readUIntBE(0, 3), seen[3], seen[4]!, seen.readUInt32BE(5)];
        if (type === types.reset) onReset?.(seen.readUInt32BE(9));
        seen = seen.subarray(9 + length);
        if (type === types.settings && !(flags & 1)) socket.write(frameOf(types.settings, 1, 0));
        if (type === types.headers) answer(rawCall(socket, stream));
      }
    });
  });
  return `http://127.0.0.1:${await listen(server)}`;
}

function rawCall(socket: Socket, stream: number): RawCall {
  const write = (type: number, flags: number, id: number, payload?: Uint8Array): RawCall => {
    socket.write(frameOf(type, flags, id, payload));
    return call;
  };
  const call: RawCall = {
    socket,
    head: (fields, { end = false } = {}) =>
      write(types.headers, endHeaders | (end ? endStream : 0), stream, hpack(fields)),
    data: (bytes, { end = false } = {}) => write(types.data, end ? endStream : 0, stream, bytes),
    reset: (code) => write(types.reset, 0, stream, uint32(code)),
    goaway: (code, last) => write(types.goaway, 0, 0, Buffer.concat([uint32(last), uint32(code)])),
    ping: () => write(types.ping, 0, 0, Buffer.alloc(8)),
  };
  return call;
}

function frameOf(type: number, flags: number, stream: number, payload: Uint8Array = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** Encodes literal fields without indexing and without Huffman coding (RFC 7541 §6.2.2). */
const hpack = (fields: Readonly<Record<string, string>>): Buffer =>
  Buffer.concat(Object.entries(fields).flatMap(([name, value]) => [Buffer.of(0), literal(name), literal(value)]));

function literal(text: string): Buffer {
  const bytes = Buffer.from(text, "latin1");
  return Buffer.concat([integer(bytes.length), bytes]);
}

/** Encodes an integer with a prefix of seven bits (RFC 7541 §5.1). */
function integer(value: number): Buffer {
  if (value < 127) return Buffer.of(value);
  const bytes = [127];
  let rest = value - 127;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
