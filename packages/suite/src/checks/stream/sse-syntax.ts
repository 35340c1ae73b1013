import { brief } from "../../answers/reading.ts";
import { unreadableEvent } from "../../answers/unreadable-events.ts";
import type { Call } from "../../define/call.ts";
import { passiveCheck } from "../../define/check.ts";
import { breach, broken, type Finding, holds } from "../../define/finding.ts";
import { taskStream } from "../../observations/task-stream.ts";
import { isEventStream } from "../bindings/bodies.ts";

/** The stream that both HTTP bindings share: server-sent events as the HTML standard has them. */
function judgeSyntax(call: Call): Finding | undefined {
  const { sse, response } = call.exchange.http;
  if (!isEventStream(call) || !sse || !response) return undefined;
  const want = "data: lines, each event followed by a blank line, in UTF-8";
  if (sse.invalidUtf8)
    return broken("an event stream is not UTF-8", { saw: "bytes that are no UTF-8", want, at: call });
  const lost = unreadableEvent(call);
  if (lost?.in === "framing") return breach("lost-events", lost.because, { saw: lost.saw, want, at: call });
  // Where we hung up, the rest was never sent.
  if (!call.exchange.failure && sse.unfinished !== undefined) {
    const saw = brief(sse.unfinished);
    return broken("an event stream ends in the middle of an event", { saw, want, at: call });
  }
  return sse.events.length ? holds() : undefined;
}

const remedy = "Write each event as one or more data: lines in UTF-8, and end it with a blank line.";
const title = "event streams obey the syntax of server-sent events";

export const sseSyntaxChecks = [
  passiveCheck({ id: "JSONRPC-018", title, remedy, shownBy: [taskStream], judge: judgeSyntax }),
  passiveCheck({ id: "REST-037", title, remedy, shownBy: [taskStream], judge: judgeSyntax }),
];
