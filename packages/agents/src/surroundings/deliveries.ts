import { STATUS_CODES } from "node:http";
import { Readable } from "node:stream";
import { createGzip } from "node:zlib";
import type { AnswerHeaders, Conduct, Deliver, Passage } from "./surrounding.ts";

/** Ways to hand an answer of the agent on to the client. */

const without = (head: AnswerHeaders, dropped: RegExp): AnswerHeaders => head.filter(([name]) => !dropped.test(name));

export const plainly: Deliver = ({ status, head, body }, { response }) => {
  response.writeHead(status, head.flat());
  body.pipe(response);
};

export const withHead =
  (change: (head: AnswerHeaders) => AnswerHeaders): Deliver =>
  (answer, passage) =>
    plainly({ ...answer, head: change(answer.head) }, passage);

/** On a connection that ends with the answer, and says so. */
export const lastOfItsConnection: Deliver = (answer, passage) => {
  passage.response.shouldKeepAlive = false;
  return plainly(answer, passage);
};

/** In chunks of a few bytes, whatever length the agent announced. */
export const inChunks: Deliver = ({ status, head, body }, { response }) => {
  response.writeHead(status, without(head, /^content-length$/i).flat());
  body.on("data", (bytes: Buffer) => {
    for (let at = 0; at < bytes.length; at += 7) response.write(bytes.subarray(at, at + 7));
  });
  body.once("end", () => response.end());
};

/** Compressed, for clients that can read it. Streams are not: a gateway that holds them back is another story. */
export const compressed: Deliver = (answer, passage) => {
  const { response } = passage;
  const { status, head, body, isStream } = answer;
  const isWelcome = /\bgzip\b/.test(String(response.req.headers["accept-encoding"] ?? ""));
  if (isStream || !isWelcome || [204, 304].includes(status)) return plainly(answer, passage);
  const kept = without(head, /^(content-length|etag)$/i);
  response.writeHead(status, [...kept, ["Content-Encoding", "gzip"], ["Vary", "Accept-Encoding"]].flat());
  body.pipe(createGzip()).pipe(response);
};

/** In the words of HTTP/1.0: without a length, to the end of the connection. */
export const inHttp10: Deliver = ({ status, head, body }, { socket }) => {
  const lines = without(head, /^content-length$/i).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.0 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n`);
  body.pipe(socket);
};

/** Cut off in the middle of a whole answer, or of a stream behind its first event. */
export const cutShort: Deliver = ({ status, head, body, isStream }, { response, socket }) => {
  response.writeHead(status, head.flat());
  body.once("data", (bytes: Buffer) => {
    const end = isStream ? bytes.indexOf("\n\n") + 2 : bytes.length / 2;
    response.write(bytes.subarray(0, end), () => socket.destroy());
  });
};

/** What comes, until nothing does for so long: then the connection is ended in the middle of the answer. */
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
      // It rejects when the proxy closes, and nobody waits any more.
      watch().catch(() => {});
    });
    body.once("end", () => response.end());
  };

/** The head at once, and what follows it later. */
export const lateBehindHead =
  (ms: number): Deliver =>
  async ({ status, head, body }, { response, wait }) => {
    response.writeHead(status, head.flat()).flushHeaders();
    await wait(ms);
    body.pipe(response);
  };

/**
 * What the agent has thought about is handed on in another way; what it refused without a thought comes as it is. The
 * agent has taken the message in either case.
 */
export const thought =
  (otherwise: Deliver): Deliver =>
  async (answer, passage) => {
    if (answer.isStream) return otherwise(answer, passage);
    const bytes = Buffer.concat(await answer.body.toArray());
    const isRefusal = answer.status >= 400 || bytes.subarray(0, 200).includes('"error":');
    return (isRefusal ? plainly : otherwise)({ ...answer, body: Readable.from([bytes]) }, passage);
  };

/** Streams in another way, everything else as it is. */
export const streams =
  (otherwise: Deliver): Deliver =>
  (answer, passage) =>
    (answer.isStream ? otherwise : plainly)(answer, passage);

/** The first time in one way, ever after in the usual one. */
export function atFirst(deliver: Deliver): Deliver {
  let happened = false;
  return (answer, passage) => {
    const isFirst = !happened;
    happened = true;
    return (isFirst ? deliver : plainly)(answer, passage);
  };
}

/** Something else in the place of the answer. */
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
