import { brief } from "../../../answers/reading.ts";
import { isPage } from "../../../answers/served.ts";
import type { Call } from "../../../define/call.ts";
import { passiveCheck } from "../../../define/check.ts";
import { breach, holds } from "../../../define/finding.ts";
import { everyOperation } from "../../../observations/every-operation.ts";
import { isBeforeTheBinding, isEventStream, mediaTypeOf, responseOf, textOf } from "../bodies.ts";

/** A call of an operation at its own path, in its own version, whose answer is therefore the binding's. */
const isCall = (call: Call): boolean => call.on.binding === "HTTP+JSON" && call.params !== undefined && call.fair;

/** Every agent has these; where another one is missing, it is the web server that answers. */
const always: readonly string[] = ["SendMessage", "GetTask", "CancelTask"];

const isFromTheAgent = (call: Call, status: number): boolean =>
  !isBeforeTheBinding(status) &&
  ((status !== 404 && status !== 405) || (call.operation !== undefined && always.includes(call.operation)));

export const label = passiveCheck({
  id: "V03-REST-002",
  title: "answers are labelled application/json",
  remedy: "Send Content-Type: application/json with every answer that is no stream, errors included.",
  shownBy: [everyOperation],
  judge(call) {
    const response = responseOf(call);
    if (!isCall(call) || !response || isEventStream(call) || response.body.length === 0) return undefined;
    if (call.streamed || (response.status >= 400 && !isFromTheAgent(call, response.status))) return undefined;
    const type = mediaTypeOf(call);
    if (type === "application/json") return holds();
    const details = { saw: `Content-Type: ${type || "(none)"}`, want: "application/json", at: call };
    if (/[/+]json$/.test(type))
      return breach("other-json-label", "answers have another label than application/json", details);
    return breach(isPage(call) ? "page-not-found" : "broken", "an answer is not labelled as JSON", details);
  },
});

export const errorForm = passiveCheck({
  id: "V03-REST-003",
  title: "errors are JSON that says what is wrong",
  remedy: 'Write errors as JSON, such as {"code": -32001, "message": "…"}, on every route.',
  shownBy: [everyOperation],
  judge(call) {
    const response = responseOf(call);
    if (!isCall(call) || !response || response.status < 400 || !isFromTheAgent(call, response.status)) return undefined;
    if (call.said.is === "error") return holds();
    const shown = textOf(response.body);
    const code = isPage(call) ? "page-not-found" : "broken";
    return breach(code, `an error has ${shown.trim() ? "a body that says nothing in JSON" : "no body"}`, {
      saw: `HTTP ${response.status} ${brief(shown)}`,
      want: 'a JSON object with what is wrong, such as {"code": …, "message": …}',
      at: call,
    });
  },
});
