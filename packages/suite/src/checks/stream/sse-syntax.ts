import { isObject } from "@assay/protocol";
import type { Call } from "../../call.ts";
import { passiveCheck } from "../../check.ts";
import { broken, type Finding, holds } from "../../finding.ts";
import { taskStream } from "../../observations/task-stream.ts";
import { brief } from "../../reading.ts";
import { isEventStream, jsonIn, textOf } from "../bindings/bodies.ts";

/** The stream that both HTTP bindings share: server-sent events as the HTML standard has them. */
function judgeSyntax(call: Call): Finding | undefined {
  const { sse, response } = call.exchange.http;
  if (!isEventStream(call) || !sse || !response) return undefined;
  const want = "data: lines, each event followed by a blank line, in UTF-8";
  if (sse.invalidUtf8)
    return broken("an event stream is not UTF-8", { saw: "bytes that are no UTF-8", want, at: call });
  const merged = sse.events.find(({ data }) => runTogether(data));
  if (merged) {
    const saw = brief(merged.data);
    return broken("events of a stream run together, with no blank line between them", { saw, want, at: call });
  }
  // Where we hung up, the rest was never sent.
  if (!call.exchange.failure && sse.unfinished !== undefined) {
    const lines = sse.unfinished;
    if (runTogether(lines))
      return broken("events of a stream run together, with no blank line between them", {
        saw: brief(lines),
        want,
        at: call,
      });
    return broken("the last event of a stream is not ended by a blank line, so readers drop it", {
      saw: brief(lines),
      want,
      at: call,
    });
  }
  const bare = textOf(response.body)
    .split(/\r\n|\r|\n/)
    .find((line) => line.startsWith("{") && isObject(jsonIn(line)));
  if (bare !== undefined)
    return broken("an event stream holds JSON without data: in front of it", { saw: brief(bare), want, at: call });
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
  passiveCheck({ id: "JSONRPC-018", title, remedy, shownBy: [taskStream], judge: judgeSyntax }),
  passiveCheck({ id: "REST-037", title, remedy, shownBy: [taskStream], judge: judgeSyntax }),
];
