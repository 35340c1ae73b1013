import { constants, type ServerHttp2Stream } from "node:http2";
import type { HeaderPairs } from "@assay/wire";
import { asOutgoing, fail } from "@assay/wire/passing";
import { BrokenOff, bytesOf, type PassedAnswer } from "../faults/answer.ts";
import type { CallFaults } from "../faults/faults.ts";
import type { Upstream } from "./upstream.ts";
import type { ExchangeWitness } from "./witness.ts";

const { NGHTTP2_INTERNAL_ERROR } = constants;

/** Reads the whole request. If the client leaves earlier, `pass` is not called. */
export function hold(stream: ServerHttp2Stream, pass: (body: Buffer) => void): void {
  bytesOf(stream).then(pass, () => {});
}

/** Returns true if a fault answers instead of the agent, or ends the connection. */
export function isAnsweredByFault(
  faults: CallFaults,
  stream: ServerHttp2Stream,
  witness: ExchangeWitness,
  isGrpc: boolean,
): boolean {
  stream.once("close", () => faults.close());
  try {
    const own = faults.instead();
    if (!own) return false;
    stream.once("close", () => witness.failed(fail("aborted", "the client cancelled the call")));
    const answer = isGrpc && own.status !== 200 ? unavailable(own) : own;
    const headers: HeaderPairs = [[":status", `${answer.status}`], ...answer.headers];
    witness.head(answer.status, "", headers);
    void deliver(answer, faults, stream, witness, answer !== own);
  } catch (error) {
    endBy(error, stream, witness);
  }
  return true;
}

/** A gateway in front of a gRPC server sends its errors as UNAVAILABLE. */
const unavailable = ({ status, ...answer }: PassedAnswer): PassedAnswer => ({
  ...answer,
  status: 200,
  headers: [
    ["content-type", "application/grpc"],
    ["grpc-status", "14"],
    ["grpc-message", `HTTP ${status}, injected by assay --fault`],
  ],
});

/** Sends a request once more, on a separate connection, and ignores the response. */
export function repeat(head: HeaderPairs, body: Buffer, origin: URL, beside: Upstream): void {
  beside.http2(origin).then(
    (session) => {
      const again = session.request(asOutgoing(head));
      again
        .on("error", () => {})
        .on("close", () => beside.close())
        .resume()
        .end(body);
    },
    () => beside.close(),
  );
}

/** Sends a response through the faults to the client. `isAll`: it has no body and no trailers. */
export async function deliver(
  answer: PassedAnswer,
  faults: CallFaults,
  stream: ServerHttp2Stream,
  witness: ExchangeWitness,
  isAll: boolean,
): Promise<void> {
  try {
    const { status, headers, body, trailers } = await faults.answer({ ...answer, body: witness.seen(answer.body) });
    const head = asOutgoing([[":status", `${status}`], ...headers.map(lowerCase)]);
    if (isAll) {
      stream.respond(head, { endStream: true });
      return witness.ended([]);
    }
    stream.respond(head, { waitForTrailers: true });
    for await (const chunk of body) await written(stream, chunk);
    witness.ended(trailers());
    // The listener may already be there: the trailers of the agent are the same.
    if (stream.listenerCount("wantTrailers") === 0)
      stream.once("wantTrailers", () => stream.sendTrailers(asOutgoing(trailers())));
    stream.end();
  } catch (error) {
    endBy(error, stream, witness);
  }
}

const lowerCase = ([name, value]: HeaderPairs[number]): readonly [string, string] => [name.toLowerCase(), value];

/** Resolves when the chunk is on its way, or the client is gone. */
const written = (stream: ServerHttp2Stream, chunk: Buffer): Promise<void> =>
  new Promise((resolve) => {
    if (stream.destroyed || stream.closed) resolve();
    else stream.write(chunk, () => resolve());
  });

function endBy(error: unknown, stream: ServerHttp2Stream, witness: ExchangeWitness): void {
  // If the agent or the client has ended the call, their listeners report it first.
  if (!(error instanceof BrokenOff)) return void setImmediate(() => stream.close(NGHTTP2_INTERNAL_ERROR));
  witness.failed(fail("aborted", error.message));
  stream.close(NGHTTP2_INTERNAL_ERROR);
}
