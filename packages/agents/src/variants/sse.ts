import { spec } from "../definition/divergence.ts";
import { changeStreamText } from "../mutation/bytes.ts";
import { changeAnswers, changeEventData, replyWith } from "../mutation/http.ts";
import { forPosts } from "../mutation/requests.ts";

/** Event streams in unusual forms that the SSE standard allows. */

// `^`, `$` and `.` treat U+2028 as a line end, but SSE does not, so lines are split at line feeds
// here.

/** Writes each event on as many data lines as its pretty-printed JSON has. */
const onManyLines = (piece: string): string =>
  piece.replaceAll(/(?<![^\n])data: ([^\n]*)/g, (_line, data: string) =>
    JSON.stringify(JSON.parse(data), null, 2)
      .split("\n")
      .map((line) => `data: ${line}`)
      .join("\n"),
  );

/** Adds every field that an event may have besides its data; the id repeats, as in A4. */
const withExtras = (piece: string): string =>
  piece.replaceAll(/(?<![^\n])data: /g, ": a comment\nretry: 3000\nevent: message\nid: 1794728545837\ndata: ");

const asEventStream = (text: string): string => `data: ${text}\n\n`;

/** Sends the error of a rejected stream as its only event. */
const errorsAsEvents = forPosts(
  (body) => /"method"\s*:\s*"(SendStreamingMessage|SubscribeToTask)"/.test(body),
  changeAnswers((answer) => ({
    ...answer,
    headers: { ...answer.headers, "Content-Type": "text/event-stream" },
    body: asEventStream(String(answer.body)),
  })),
);

export const sseVariants = [
  // A2: sse-starlette uses these line ends.
  spec("crlf", "Lines of event streams end with CR and LF.", {
    http: changeStreamText((piece) => piece.replaceAll("\n", "\r\n")),
  }),

  // A2: the SSE standard allows three line ends. This is the third, a single CR.
  spec("cr", "Lines of event streams end with CR.", {
    http: changeStreamText((piece) => piece.replaceAll("\n", "\r")),
  }),

  // A3: Python 0.3.26 over REST.
  spec("multi-line-data", "Events are JSON over many data lines.", { http: changeStreamText(onManyLines) }),

  // A4: JS 0.2.5 uses the time as the id of its events.
  spec("sse-extras", "Events have comments, ids, names and retry times.", {
    http: changeStreamText(withExtras),
  }),

  // The space is optional: the SSE standard strips one after the colon, if present.
  spec("no-space", "No space follows the colon of a data line.", {
    http: changeStreamText((piece) => piece.replaceAll(/(?<![^\n])data: /g, "data:")),
  }),

  // A4, A5: Python's frameworks add the charset.
  spec("sse-charset", "Event streams declare their charset.", {
    http: (serve) => (request, reply) =>
      serve(
        request,
        replyWith(reply, {
          events: (headers) => reply.events({ ...headers, "Content-Type": "text/event-stream; charset=utf-8" }),
        }),
      ),
  }),

  // AMB-32, A5: the specification does not say how a streaming method returns an error.
  spec("errors-as-events", "A rejected JSON-RPC stream has the error as its only event.", {
    http: errorsAsEvents,
  }),

  // JSON allows these escapes. They include U+2028, which is not a line end in SSE.
  spec("escaped-unicode", "Non-ASCII characters are escaped in event streams.", {
    http: changeEventData((data) =>
      data.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
    ),
  }),
];
