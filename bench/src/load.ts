import { connect, type Socket } from "node:net";

/**
 * A cheap load driver: it sends prepared bytes on keep-alive sockets, and reads only the length of responses. It
 * runs on the second core of the server, so it must use as little of it as possible.
 */
export interface Load {
  readonly requests: number;
  readonly seconds: number;
}

export async function hammer(url: string, request: Buffer, connections: number, milliseconds: number): Promise<Load> {
  const { hostname, port } = new URL(url);
  const started = performance.now();
  const deadline = started + milliseconds;
  let requests = 0;
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const socket: Socket = connect({ host: hostname, port: Number(port), noDelay: true });
      let pending: Buffer = Buffer.alloc(0);
      socket.once("error", reject);
      socket.once("connect", () => socket.write(request));
      socket.on("data", (chunk) => {
        pending = pending.length ? Buffer.concat([pending, chunk]) : chunk;
        const end = lengthOfAnswer(pending);
        if (end === 0 || pending.length < end) return;
        if (pending.subarray(9, 12).toString("latin1") !== "200") {
          reject(new Error(`${url} answered ${pending.subarray(0, 500).toString("latin1")}`));
          socket.destroy();
          return;
        }
        pending = pending.subarray(end);
        requests++;
        if (performance.now() < deadline) socket.write(request);
        else {
          socket.destroy();
          resolve();
        }
      });
    });
  await Promise.all(Array.from({ length: connections }, one));
  return { requests, seconds: (performance.now() - started) / 1000 };
}

const headEnd = Buffer.from("\r\n\r\n");

/** Returns the length of the head plus Content-Length, or 0 while the head is incomplete. */
export function lengthOfAnswer(bytes: Buffer): number {
  const end = bytes.indexOf(headEnd);
  if (end < 0) return 0;
  const head = bytes.toString("latin1", 0, end);
  const at = head.search(/\ncontent-length: /i);
  if (at < 0) throw new Error(`an answer without Content-Length: ${head}`);
  return end + 4 + Number.parseInt(head.slice(at + 17), 10);
}

/** Runs streams side by side until all have ended, and returns the total milliseconds. */
export async function streams(url: string, request: Buffer, count: number): Promise<number> {
  const { hostname, port } = new URL(url);
  const started = performance.now();
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      let tail = "";
      let isComplete = false;
      socket.once("error", reject);
      socket.once("connect", () => socket.write(request));
      socket.on("data", (chunk) => {
        // The last chunk of a chunked body. The stream has reported its terminal state before it.
        const end = tail + chunk.toString("latin1", Math.max(0, chunk.length - 600));
        isComplete ||= end.includes("TASK_STATE_COMPLETED");
        tail = end.slice(-600);
        if (!tail.endsWith("0\r\n\r\n")) return;
        socket.destroy();
        if (isComplete) resolve();
        else reject(new Error(`${url}: the stream ended before the task did: ${tail}`));
      });
    });
  await Promise.all(Array.from({ length: count }, one));
  return performance.now() - started;
}

export interface Spec {
  readonly verb: string;
  readonly path: string;
  readonly body?: unknown;
}

export function bytesOf({ verb, path, body }: Spec): Buffer {
  const json = body === undefined ? "" : JSON.stringify(body);
  const head = [
    `${verb} ${path} HTTP/1.1`,
    "Host: 127.0.0.1",
    "A2A-Version: 1.0",
    ...(body === undefined ? [] : ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(json)}`]),
  ];
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n${json}`);
}
