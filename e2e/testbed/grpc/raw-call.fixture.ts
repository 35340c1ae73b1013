import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
} from "node:http2";
import { onTestFinished } from "vitest";
import { version10 } from "../../fixtures/grpc.fixture.ts";

// gRPC over a plain HTTP/2 session, because a gRPC client would repair requests and hide parts of responses.

interface RawAnswer {
  readonly head: IncomingHttpHeaders & IncomingHttpStatusHeader;
  readonly trailers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Opens a session that is closed after the test. */
export function session(url: string): ClientHttp2Session {
  const opened = connect(url);
  opened.on("error", () => {});
  onTestFinished(() => opened.destroy());
  return opened;
}

/** Starts a call. The test writes the frames. */
export const rawCall = (
  session: ClientHttp2Session,
  path: string,
  headers: Record<string, string> = {},
): ClientHttp2Stream =>
  session.request({
    ":method": "POST",
    ":path": path,
    "content-type": "application/grpc",
    te: "trailers",
    ...version10,
    ...headers,
  });

/** Puts a message into a gRPC frame. */
export const frame = (message: Uint8Array, flag = 0): Buffer => {
  const head = Buffer.alloc(5);
  head[0] = flag;
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
};

/** Reads an answer to its end. */
export function hear(stream: ClientHttp2Stream): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let head: RawAnswer["head"] = {};
    let trailers: IncomingHttpHeaders = {};
    stream.on("response", (headers) => {
      head = headers;
    });
    stream.on("trailers", (headers) => {
      trailers = headers;
    });
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("error", reject);
    stream.on("end", () => resolve({ head, trailers, body: Buffer.concat(chunks) }));
  });
}
