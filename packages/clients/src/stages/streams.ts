import { artifact, changeStreamText, intercept, status } from "@assay/agents/making";
import type { StreamResponse } from "@assay/protocol";
import type { Stage } from "../stage.ts";
import { answerOf, by, doing, making, saying } from "./agents.ts";

/** Yields the first events of a stream, then breaks the stream while its task continues. */
export async function* broken(events: AsyncIterable<StreamResponse>, after: number): AsyncGenerator<StreamResponse> {
  let told = 0;
  for await (const event of events) {
    yield event;
    told += 1;
    if (told < after) continue;
    // The events must be sent before the connection closes.
    await new Promise((resolve) => setTimeout(resolve, 20));
    throw new Error("the connection is dropped on purpose");
  }
}

export const streamStages = {
  stream: by(making(answerOf("stream"))),
  "odd-events": by(making(answerOf("odd-events")), () => ({
    layers: { http: changeStreamText(everySpelling()) },
  })),
  chunks: by(
    doing(async function* () {
      yield status("working");
      yield artifact("first", "first: alpha");
      yield artifact("second", "second: one");
      yield artifact("first", "-beta", { append: true });
      yield artifact("second", "-two", { append: true });
      yield artifact("first", "-gamma", { append: true, last: true });
      yield artifact("second", "-three", { append: true, last: true });
      yield status("completed");
    }),
  ),
  dropped: by(
    doing(async function* ({ clock, signal }) {
      yield status("working", "half of it is done");
      await clock.sleep(3_000, signal);
      yield artifact("word", answerOf("dropped"), { last: true });
      yield status("completed");
    }),
    {
      layers: {
        operations: intercept(["SendStreamingMessage"], async ({ proceed }) => {
          const { events } = await proceed();
          return { events: broken(events!, 2) };
        }),
      },
    },
  ),
  "no-streaming": by(saying("nothing is streamed"), { streaming: false }),
} as const satisfies Record<string, Stage>;

/**
 * Writes each event of a stream in another form that server-sent events allow. The forms: with comments and other fields, over
 * several data lines, without the space after the colon, with CR LF and with CR. Its input is always whole lines.
 */
function everySpelling(): (piece: string) => string {
  let told = 0;
  return (piece) =>
    piece.replaceAll(/data: ([^\n]*)\n\n/g, (_event, data: string) => spellings[told++ % spellings.length]!(data));
}

const spellings: readonly ((data: string) => string)[] = [
  (data) => `: a comment\nevent: message\nid: 17\nretry: 3000\ndata: ${data}\n\n`,
  (data) =>
    `${JSON.stringify(JSON.parse(data), null, 1)
      .split("\n")
      .map((line) => `data: ${line}`)
      .join("\n")}\n\n`,
  (data) => `data:${data}\r\n\r\n`,
  (data) => `:\n\ndata: ${data}\r\r`,
];
