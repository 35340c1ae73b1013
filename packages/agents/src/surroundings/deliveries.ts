import { STATUS_CODES } from "node:http";
import { Readable } from "node:stream";
import { createGzip } from "node:zlib";
import type { AnswerHeaders, Conduct, Deliver, Passage } from "./surrounding.ts";

/** Ways to pass an agent's response to the client. */

const without = (head: AnswerHeaders, dropped: RegExp): AnswerHeaders => head.filter(([name]) => !dropped.test(name));

export const plainly: Deliver = ({ status, head, body }, { response }) => {
  response.writeHead(status, head.flat());
  body.pipe(response);
};

export const withHead =
  (change: (head: AnswerHeaders) => AnswerHeaders): Deliver =>
  (answer, passage) =>
    plainly({ ...answer, head: change(answer.head) }, passage);

/** Closes the connection after the response, and announces it. */
export const lastOfItsConnection: Deliver = (answer, passage) => {
  passage.response.shouldKeepAlive = false;
  return plainly(answer, passage);
};

/** Sends chunks of a few bytes, whatever length the agent announced. */
export const inChunks: Deliver = ({ status, head, body }, { response }) => {
  response.writeHead(status, without(head, /^content-length$/i).flat());
  body.on("data", (bytes: Buffer) => {
    for (let at = 0; at < bytes.length; at += 7) response.write(bytes.subarray(at, at + 7));
  });
  body.once("end", () => response.end());
};

/** Compresses for clients that support it, except for streams. */
export const compressed: Deliver = (answer, passage) => {
  const { response } = passage;
  const { status, head, body, isStream } = answer;
  const isWelcome = /\bgzip\b/.test(String(response.req.headers["accept-encoding"] ?? ""));
  if (isStream || !isWelcome || [204, 304].includes(status)) return plainly(answer, passage);
  const kept = without(head, /^(content-length|etag)$/i);
  response.writeHead(status, [...kept, ["Content-Encoding", "gzip"], ["Vary", "Accept-Encoding"]].flat());
  body.pipe(createGzip()).pipe(response);
};

/** Sends HTTP/1.0: without a length, up to the end of the connection. */
export const inHttp10: Deliver = ({ status, head, body }, { socket }) => {
  const lines = without(head, /^content-length$/i).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.0 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n`);
  body.pipe(socket);
};

/** Cuts off a complete response in the middle, or a stream after its first event. */
export const cutShort: Deliver = ({ status, head, body, isStream }, { response, socket }) => {
  response.writeHead(status, head.flat());
  body.once("data", (bytes: Buffer) => {
    const end = isStream ? bytes.indexOf("\n\n") + 2 : bytes.length / 2;
    response.write(bytes.subarray(0, end), () => socket.destroy());
  });
};

/** Passes on bytes until a pause of this length, then ends the connection in the middle of the response. */
export const untilPause =
  (ms: number, end: (passage: Passage) => void): Deliver =>
  ({ status, head, body }, passage) => {
    const { response } = passage;
    let pieces = 0;
    const watch = async (): Promise<void> => {
      const piece = ++pieces;
      await passage.wait(ms);
      if (piece === pieces && !response.writableEnded) end(passage);
    };
    response.writeHead(status, head.flat());
    body.on("data", (bytes: Buffer) => {
      response.write(bytes);
      // It rejects when the proxy closes, when no caller waits any more.
      watch().catch(() => {});
    });
    body.once("end", () => response.end());
  };

/** Sends the headers at once and the body later. */
export const lateBehindHead =
  (ms: number): Deliver =>
  async ({ status, head, body }, { response, wait }) => {
    response.writeHead(status, head.flat()).flushHeaders();
    await wait(ms);
    body.pipe(response);
  };

/**
 * Delivers responses to accepted messages in another way. Rejections pass unchanged. The agent has accepted
 * the message in either case.
 */
export const thought =
  (otherwise: Deliver): Deliver =>
  async (answer, passage) => {
    if (answer.isStream) return otherwise(answer, passage);
    const bytes = Buffer.concat(await answer.body.toArray());
    const isRefusal = answer.status >= 400 || bytes.subarray(0, 200).includes('"error":');
    return (isRefusal ? plainly : otherwise)({ ...answer, body: Readable.from([bytes]) }, passage);
  };

/** Delivers streams in another way, everything else unchanged. */
export const streams =
  (otherwise: Deliver): Deliver =>
  (answer, passage) =>
    (answer.isStream ? otherwise : plainly)(answer, passage);

/** Delivers the first response in this way, later ones unchanged. */
export function atFirst(deliver: Deliver): Deliver {
  let happened = false;
  return (answer, passage) => {
    const isFirst = !happened;
    happened = true;
    return (isFirst ? deliver : plainly)(answer, passage);
  };
}

/** Replaces the response. */
export const insteadOfAnswer =
  (conduct: Conduct): Deliver =>
  ({ body }, passage) => {
    body.destroy();
    return conduct(passage);
  };

export const later =
  (ms: number): Deliver =>
  async (answer, passage) => {
    await passage.wait(ms);
    return plainly(answer, passage);
  };
