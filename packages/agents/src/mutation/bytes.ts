import type { Handler, WireReply } from "@assay/wire/server";
import { replyWith } from "./http.ts";

/** What follows the head, one piece at a time, and the end of it. */
interface Sink {
  write(piece: string | Buffer): boolean;
  end(piece?: string | Buffer): void;
}

/** Every byte behind the head passes through here: bodies, events, and the comments that keep a stream alive. */
export const changeBytes =
  (through: (sink: Sink) => Sink) =>
  (serve: Handler): Handler =>
  (request, reply) => {
    tap(reply, through);
    return serve(request, reply);
  };

/** Event streams are spelled differently; a piece holds whole lines. */
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

/** Node's response is the last place where all of it is seen. Its overloads are more than the wire uses of it. */
function tap({ raw }: WireReply, through: (sink: Sink) => Sink): void {
  const sink = through({ write: raw.write.bind(raw) as Sink["write"], end: raw.end.bind(raw) as Sink["end"] });
  raw.write = ((piece: string | Buffer) => sink.write(piece)) as typeof raw.write;
  raw.end = ((piece?: string | Buffer) => {
    sink.end(piece);
    return raw;
  }) as typeof raw.end;
}
