import type { HeaderPairs } from "@assay/wire";
import { headerOf } from "@assay/wire/passing";

/** A response on its way to the client. */
export interface PassedAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: HeaderPairs;
  readonly body: AsyncIterable<Buffer>;
  /** complete once the body has ended */
  trailers(): HeaderPairs;
}

/** Thrown to end the connection in the middle of a call, as a fault requires. */
export class BrokenOff extends Error {
  readonly how: "close" | "reset";

  constructor(how: BrokenOff["how"]) {
    super("a fault ended the connection");
    this.how = how;
  }
}

/** Reads the bytes of a whole body. */
export async function bytesOf(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Creates a response that Assay writes itself. */
export const ownAnswer = (status: number, statusText: string, headers: HeaderPairs, text: string): PassedAnswer => ({
  status,
  statusText,
  headers: [...headers, ["Content-Length", `${Buffer.byteLength(text)}`]],
  body: ofChunks([Buffer.from(text)]),
  trailers: () => [],
});

export async function* ofChunks(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks;
}

const typeOf = ({ headers }: PassedAnswer): string => headerOf(headers, "content-type")?.toLowerCase() ?? "";

export const isGrpc = (answer: PassedAnswer): boolean => typeOf(answer).startsWith("application/grpc");
export const isEventStream = (answer: PassedAnswer): boolean => typeOf(answer).startsWith("text/event-stream");
