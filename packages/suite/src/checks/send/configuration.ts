import type { JsonObject } from "@assay/protocol";
import { isA2A, isNamed } from "../../answers/error-names.ts";
import { codeOfForm, isInternal, isRefusal, matches, wanted } from "../../answers/expect-error.ts";
import { asObjects, asText, brief } from "../../answers/loose-json.ts";
import { answerOf, describeReply, errorOf, isAnswered, messageIn, taskIn } from "../../answers/reading.ts";
import { skippedFor } from "../../answers/trouble.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck, type Check } from "../../define/check.ts";
import { breach, broken, crashed, type Finding, holds, notApplicable, notExamined } from "../../define/finding.ts";
import { messageWithMetadata } from "../../observations/adorned-messages.ts";
import { unknownMediaType } from "../../observations/odd-messages.ts";
import { sentMessage } from "../../observations/sent-message.ts";

const takesMetadata = activeCheck({
  id: "SEND-017",
  uses: { messageWithMetadata },
  judge({ messageWithMetadata: { call, bare } }) {
    if (!bare) return holds();
    if (call.reply.is === "failure")
      throw skippedFor(call, `a message with metadata got no answer: ${describeReply(call)}`);
    if (!isAnswered(bare))
      return notExamined("unstable", `the same message is refused without metadata: ${describeReply(bare)}`);
    return broken("a message is refused for its metadata", {
      saw: describeReply(call),
      want: "an answer, as to the same message without metadata",
      at: [call, bare],
    });
  },
});

const meetsOutputModes = activeCheck({
  id: "SEND-016",
  uses: { messageWithMetadata },
  judge({ messageWithMetadata: { call, mode } }) {
    if (mode === undefined) return notApplicable("the card does not list text/plain among its output modes");
    const task = taskIn(call);
    const holders = [messageIn(call), ...(task?.artifacts ?? [])];
    const parts = holders.flatMap((holder) => asObjects(holder?.["parts"]));
    if (parts.length === 0) return notExamined("not-triggered", "the answer has no content");
    const other = parts.find((part) => !isText(part));
    if (!other) return holds();
    return broken("a client that accepts text/plain alone gets something else", {
      saw: brief(other),
      want: "parts with text",
      at: call,
    });
  },
});

/** A media type on text that is some kind of text is as good. */
const isText = ({ text, mediaType }: JsonObject): boolean =>
  text !== undefined && (!asText(mediaType) || /^text\//i.test(asText(mediaType)!));

const namesTheMediaType = activeCheck({
  id: "SEND-009",
  uses: { sentMessage, unknownMediaType },
  judge: ({ unknownMediaType: call }) => judgedRefusal(call),
});

function judgedRefusal(call: Call): Finding {
  const details = answerOf(call, wanted("ContentTypeNotSupported", call));
  if (isAnswered(call)) return holds("the agent takes parts of an unknown media type");
  const match = matches(call, "ContentTypeNotSupported");
  if (match === "new") return holds();
  if (match === "old")
    return breach("error-table-1.0.0", "an unknown media type is refused with the numbers of 1.0.0", details);
  if (isInternal(call)) return crashed("an unknown media type is answered with an internal error", details);
  if (isNamed(call, "InvalidAgentResponse"))
    return notExamined(
      "not-triggered",
      "the agent has no answer to it, and does not say that it is for the media type",
    );
  if (!errorOf(call)) {
    const code = call.reply.is === "malformed" ? codeOfForm(call, "ContentTypeNotSupported") : "crashed";
    const message = "an unknown media type is not answered in the words of the binding";
    return breach(code === "broken" ? "crashed" : code, message, details);
  }
  // 3.3.2 files unsupported content under validation as well; which number that has is only an example there.
  if (!isA2A(call) && isRefusal(call))
    return breach("unspecific-error", "an unknown media type is refused as an invalid request", details);
  return broken(`an unknown media type is refused with another error than ContentTypeNotSupported`, details);
}

export const wishChecks: readonly Check[] = [takesMetadata, meetsOutputModes, namesTheMediaType];
