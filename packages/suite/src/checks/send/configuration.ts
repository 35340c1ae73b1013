import type { JsonObject } from "@assay/protocol";
import { isA2A, isNamed } from "../../answers/error-names.ts";
import { codeOfForm, isInternal, isRefusal, matches, wanted } from "../../answers/expect-error.ts";
import { asObjects, asText, brief } from "../../answers/loose-json.ts";
import { answerOf, describeReply, errorOf, isAnswered, messageIn, taskIn } from "../../answers/reading.ts";
import { skippedFor } from "../../answers/trouble.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck } from "../../define/check.ts";
import { breach, broken, crashed, type Finding, holds, notApplicable, notExamined } from "../../define/finding.ts";
import { messageWithMetadata } from "../../observations/adorned-messages.ts";
import { unknownMediaType } from "../../observations/odd-messages.ts";
import { sentMessage } from "../../observations/sent-message.ts";

export const takesMetadata = activeCheck("SEND-017", {
  uses: { messageWithMetadata },
  judge({ messageWithMetadata: { call, bare } }) {
    if (!bare) return holds();
    if (call.reply.is === "failure")
      throw skippedFor(call, `SendMessage with metadata got no response: ${describeReply(call)}`);
    if (!isAnswered(bare))
      return notExamined("unstable", `the agent also refuses the message without metadata: ${describeReply(bare)}`);
    return broken("the agent refuses a message because it has metadata", {
      saw: describeReply(call),
      want: "a response, as to the same message without metadata",
      at: [call, bare],
    });
  },
});

export const meetsOutputModes = activeCheck("SEND-016", {
  uses: { messageWithMetadata },
  judge({ messageWithMetadata: { call, mode } }) {
    if (mode === undefined) return notApplicable("the card does not list text/plain among its output modes");
    const task = taskIn(call);
    const holders = [messageIn(call), ...(task?.artifacts ?? [])];
    const parts = holders.flatMap((holder) => asObjects(holder?.["parts"]));
    if (parts.length === 0) return notExamined("not-triggered", "the response has no content");
    const other = parts.find((part) => !isText(part));
    if (!other) return holds();
    return broken("a client that accepts only text/plain gets another media type", {
      saw: brief(other),
      want: "parts with text",
      at: call,
    });
  },
});

/** Accepts any text media type. */
const isText = ({ text, mediaType }: JsonObject): boolean =>
  text !== undefined && (!asText(mediaType) || /^text\//i.test(asText(mediaType)!));

export const namesTheMediaType = activeCheck("SEND-009", {
  uses: { sentMessage, unknownMediaType },
  judge: ({ unknownMediaType: call }) => judgedRefusal(call),
});

function judgedRefusal(call: Call): Finding {
  const details = answerOf(call, wanted("ContentTypeNotSupported", call));
  if (isAnswered(call)) return holds("the agent accepts parts with an unknown media type");
  const match = matches(call, "ContentTypeNotSupported");
  if (match === "new") return holds();
  if (match === "old")
    return breach(
      "error-table-1.0.0",
      "the agent refuses an unknown media type with the error table of 1.0.0",
      details,
    );
  if (isInternal(call)) return crashed("an unknown media type causes an internal error", details);
  if (isNamed(call, "InvalidAgentResponse"))
    return notExamined(
      "not-triggered",
      "the agent returns an error, but does not say that the media type is the reason",
    );
  if (!errorOf(call)) {
    const code = call.reply.is === "malformed" ? codeOfForm(call, "ContentTypeNotSupported") : "crashed";
    const message = "the response to an unknown media type is malformed";
    return breach(code === "broken" ? "crashed" : code, message, details);
  }
  // 3.3.2 also lists unsupported content under validation; the error number there is only an example.
  if (!isA2A(call) && isRefusal(call))
    return breach("unspecific-error", "the agent refuses an unknown media type as an invalid request", details);
  return broken(`the agent refuses an unknown media type with an error other than ContentTypeNotSupported`, details);
}
