import type { Handler, WireReply } from "@assay/wire/server";
import { replyWith } from "./http.ts";

/** Receives the body, piece by piece, and its end. */
interface Sink {
  write(piece: string | Buffer): boolean;
  end(piece?: string | Buffer): void;
}

/** Changes every byte after the headers: bodies, events, and keep-alive comments of a stream. */
export const changeBytes =
  (through: (sink: Sink) => Sink) =>
  (serve: Handler): Handler =>
  (request, reply) => {
    tap(reply, through);
    return serve(request, reply);
  };

/** Changes the text of event streams; a piece holds whole lines. */
export const changeStreamText =
  (change: (piece: string) => string) =>
  (serve: Handler): Handler =>
  (request, reply) => {
    const through = ({ write, end }: Sink): Sink => ({
      write: (piece) => write(change(String(piece))),
      end: (piece = "") => end(change(String(piece))),
    });
    const events: WireReply["events"] = (headers) => {
      tap(reply, through);
      return reply.events(headers);
    };
    return serve(request, replyWith(reply, { events }));
  };

/** Wraps Node's response, the last place that sees all bytes. It has more overloads than the wire uses. */
function tap({ raw }: WireReply, through: (sink: Sink) => Sink): void {
  const sink = through({ write: raw.write.bind(raw) as Sink["write"], end: raw.end.bind(raw) as Sink["end"] });
  raw.write = ((piece: string | Buffer) => sink.write(piece)) as typeof raw.write;
  raw.end = ((piece?: string | Buffer) => {
    sink.end(piece);
    return raw;
  }) as typeof raw.end;
}
