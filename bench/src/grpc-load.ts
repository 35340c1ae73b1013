import { type ClientHttp2Session, connect } from "node:http2";

/** Opens sessions to a gRPC server, and calls it. */
export interface GrpcLoad {
  /** calls per second, over all sessions, several calls at a time on each */
  hammer(path: string, message: Uint8Array, milliseconds: number): Promise<number>;
  /** one call to its end, in milliseconds */
  once(path: string, message: Uint8Array): Promise<{ ms: number; body: Buffer }>;
  close(): void;
}

const callsAtOnce = 8;

export function grpcLoad(url: string, sessions = 4): GrpcLoad {
  const open = Array.from({ length: sessions }, () => connect(new URL(url).origin));
  return {
    async hammer(path, message, milliseconds) {
      const started = performance.now();
      let calls = 0;
      const lane = async (session: ClientHttp2Session) => {
        while (performance.now() - started < milliseconds) {
          await call(session, path, message);
          calls++;
        }
      };
      await Promise.all(open.flatMap((session) => Array.from({ length: callsAtOnce }, () => lane(session))));
      return calls / ((performance.now() - started) / 1000);
    },
    async once(path, message) {
      const started = performance.now();
      const body = await call(open[0]!, path, message);
      return { ms: performance.now() - started, body };
    },
    close() {
      for (const session of open) session.close();
    },
  };
}

function call(session: ClientHttp2Session, path: string, message: Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const stream = session.request({
      ":method": "POST",
      ":path": path,
      "content-type": "application/grpc+proto",
      te: "trailers",
      "a2a-version": "1.0",
    });
    const chunks: Buffer[] = [];
    let status = "";
    stream.on("response", (headers) => {
      status ||= String(headers["grpc-status"] ?? "");
    });
    stream.on("trailers", (trailers) => {
      status ||= String(trailers["grpc-status"] ?? "");
    });
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("error", reject);
    stream.on("end", () =>
      status === "0" ? resolve(Buffer.concat(chunks)) : reject(new Error(`${path}: grpc-status ${status}`)),
    );
    const head = Buffer.alloc(5);
    head.writeUInt32BE(message.length, 1);
    stream.end(Buffer.concat([head, message]));
  });
}
