import { codeOfBreakdown, isInternal } from "../../answers/expect-error.ts";
import { brief } from "../../answers/loose-json.ts";
import { answerOf, errorOf } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck, passiveCheck } from "../../define/check.ts";
import { breach, broken, holds } from "../../define/finding.ts";
import { endedTask } from "../../observations/ended-task.ts";
import { invalidInput } from "../../observations/invalid-input.ts";
import { otherVersion } from "../../observations/other-version.ts";
import { everyOperation, unknownTask } from "../../observations/unknown-task.ts";
import { headerIn, responseOf, textOf } from "../bindings/bodies.ts";

/** Rules about an agent that crashes or is overloaded. Assay does not provoke that; these checks only watch for it. */

export const breaksDownInForm = passiveCheck("ERR-015", {
  shownBy: [everyOperation],
  otherwise: "the agent returned no internal error",
  judge(call) {
    const response = responseOf(call);
    if (isInternal(call)) return holds();
    if (call.reply.is !== "malformed" || response?.status !== 500 || call.on.binding === "GRPC") return undefined;
    return broken("HTTP 500 comes without an error of the binding", {
      saw: `HTTP 500 ${brief(textOf(response.body), 100)}`,
      want: "-32603, or HTTP 500 with the error body",
    });
  },
});

export const internalCode = passiveCheck("JSONRPC-010", {
  shownBy: [everyOperation],
  otherwise: "the agent returned no internal error",
  judge(call) {
    const code = errorOf(call)?.code;
    if (call.on.binding !== "JSONRPC" || code === undefined) return undefined;
    if (code === -32603) return holds();
    // Any error may come with any HTTP status (AMB-32); HTTP 500 with an undefined code is an internal failure.
    if (responseOf(call)?.status !== 500 || (code >= -32768 && code <= -32000)) return undefined;
    return broken("an internal error has a private code", answerOf(call, "error.code -32603"));
  },
});

/** Seconds, or a date as HTTP writes it (RFC 9110 §10.2.3). */
const retryTime =
  /^(\d+|(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT)$/;

export const retryAdvice = passiveCheck("ERR-013", {
  shownBy: [everyOperation],
  otherwise: "the agent never asked to retry later",
  judge(call) {
    const response = responseOf(call);
    const advice = headerIn(response?.headers ?? [], "retry-after");
    if (!response || ![429, 503].includes(response.status) || advice === undefined) return undefined;
    if (retryTime.test(advice.trim())) return holds();
    return broken("Retry-After is neither a number of seconds nor an HTTP date", {
      saw: `Retry-After: ${brief(advice, 60)}`,
      want: "Retry-After: 2",
    });
  },
});

export const noGenericErrors = activeCheck("ERR-029", {
  uses: { unknownTask, invalidInput, otherVersion },
  also: { endedTask },
  judge({ unknownTask: asked, invalidInput: inputs, otherVersion: inVersion, endedTask: ended }) {
    const calls = [
      ...asked.map(({ operation, call }) => ({ what: `${operation} on an unknown task`, call })),
      ...inputs,
      ...inVersion.map(({ operation, call }) => ({ what: `${operation} in version 99.0`, call })),
      ...(ended
        ? [
            { what: "CancelTask on an ended task", call: ended.canceled },
            { what: "SendMessage to an ended task", call: ended.addressed },
          ]
        : []),
    ];
    const breakdowns = calls.filter(({ call }) => brokeDown(call));
    if (breakdowns.length === 0) return holds();
    return breakdowns.map(({ what, call }) =>
      breach(
        codeOfBreakdown(call),
        `${what} returns an internal error`,
        answerOf(call, "the error that A2A defines for it"),
      ),
    );
  },
});

/** The error table gives InvalidAgentResponseError status 500 too. */
const brokeDown = (call: Call): boolean =>
  errorOf(call)?.reason !== "INVALID_AGENT_RESPONSE" &&
  (isInternal(call) || (call.reply.is === "malformed" && call.exchange.http.response?.status === 500));
