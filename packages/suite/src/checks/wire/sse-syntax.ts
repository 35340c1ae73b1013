import { isObject } from "@assay/protocol";
import { trafficCheck } from "../../check.ts";
import { broken, type Finding, holds } from "../../finding.ts";
import { streamed } from "../../observations/streamed.ts";
import { brief } from "../../reading.ts";
import type { Talk } from "../../talk.ts";
import { isEventStream, jsonIn, textOf } from "./bodies.ts";

/** The stream that both HTTP bindings share: server-sent events as the HTML standard has them. */
function judgeSyntax(talk: Talk): Finding | undefined {
  const { sse, response } = talk.exchange.http;
  if (!isEventStream(talk) || !sse || !response) return undefined;
  const want = "data: lines, each event followed by a blank line, in UTF-8";
  if (sse.invalidUtf8)
    return broken("an event stream is not UTF-8", { saw: "bytes that are no UTF-8", want, at: talk });
  const merged = sse.events.find(({ data }) => runTogether(data));
  if (merged) {
    const saw = brief(merged.data);
    return broken("events of a stream run together, with no blank line between them", { saw, want, at: talk });
  }
  // Where we hung up, the rest was never sent.
  if (!talk.exchange.failure && sse.unfinished !== undefined) {
    const lines = sse.unfinished;
    if (runTogether(lines))
      return broken("events of a stream run together, with no blank line between them", {
        saw: brief(lines),
        want,
        at: talk,
      });
    return broken("the last event of a stream is not ended by a blank line, so readers drop it", {
      saw: brief(lines),
      want,
      at: talk,
    });
  }
  const bare = textOf(response.body)
    .split(/\r\n|\r|\n/)
    .find((line) => line.startsWith("{") && isObject(jsonIn(line)));
  if (bare !== undefined)
    return broken("an event stream holds JSON without data: in front of it", { saw: brief(bare), want, at: talk });
  return sse.events.length ? holds() : undefined;
}

/** Several lines that are JSON each, and none together. */
function runTogether(data: string): boolean {
  const lines = data.split("\n");
  return lines.length > 1 && jsonIn(data) === undefined && lines.every((line) => isObject(jsonIn(line)));
}

const remedy = "Write each event as one or more data: lines in UTF-8, and end it with a blank line.";
const title = "event streams obey the syntax of server-sent events";

export const sseSyntaxChecks = [
  trafficCheck({ id: "JSONRPC-018", title, remedy, occasions: [streamed], judge: judgeSyntax }),
  trafficCheck({ id: "REST-037", title, remedy, occasions: [streamed], judge: judgeSyntax }),
];
