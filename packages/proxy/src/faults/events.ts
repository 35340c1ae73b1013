import { isEventStream, isGrpc, type PassedAnswer } from "./answer.ts";

const separators = ["\n\n", "\r\n\r\n", "\r\r"];

/** Returns the end of the first event, or 0 if it is not complete: an SSE event with its blank line. */
function endOfEvent(bytes: Buffer): number {
  const ends = separators.map((separator) => bytes.indexOf(separator) + separator.length);
  return (
    Math.min(...ends.filter((end, index) => end >= separators[index]!.length), bytes.length + 1) % (bytes.length + 1)
  );
}

/** The same for a gRPC message with its five bytes of framing. */
function endOfMessage(bytes: Buffer): number {
  const end = bytes.length < 5 ? Number.POSITIVE_INFINITY : 5 + bytes.readUInt32BE(1);
  return end <= bytes.length ? end : 0;
}

/** Splits a body into the pieces that `endOf` finds. Bytes after the last piece are one more. */
async function* pieces(body: AsyncIterable<Buffer>, endOf: (bytes: Buffer) => number): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  for await (const chunk of body) {
    rest = Buffer.concat([rest, chunk]);
    for (let end = endOf(rest); end > 0; end = endOf(rest)) {
      yield rest.subarray(0, end);
      rest = rest.subarray(end);
    }
  }
  if (rest.length) yield rest;
}

/** Comments and keep-alives of SSE have no data. */
const hasData = (piece: Buffer): boolean => /(?:^|[\r\n])data/.test(piece.toString("latin1"));

/** Replaces an event with any number of events. It is called without an event at the end of the stream. */
export type EditEvent = (event: Buffer | undefined, number: number) => readonly Buffer[];

/** Edits the events of a stream, one by one. Everything else stays unchanged. */
export function editEvents(answer: PassedAnswer, edit: EditEvent): PassedAnswer {
  const overGrpc = isGrpc(answer);
  if (!overGrpc && !isEventStream(answer)) return answer;
  async function* edited(): AsyncGenerator<Buffer> {
    let number = 0;
    for await (const piece of pieces(answer.body, overGrpc ? endOfMessage : endOfEvent)) {
      if (overGrpc || hasData(piece)) yield* edit(piece, ++number);
      else yield piece;
    }
    yield* edit(undefined, number + 1);
  }
  return { ...answer, body: edited() };
}
