import { isInternal } from "../../answers/expect-error.ts";
import { describeReply, errorOf } from "../../answers/reading.ts";
import { activeCheck } from "../../define/check.ts";
import { broken, crashed, holds, notExamined } from "../../define/finding.ts";
import { messageWithoutExtension } from "../../observations/message-with-extensions.ts";
import { sentMessage } from "../../observations/sent-message.ts";

/** What 1.0 gave an error of its own to: before, "an appropriate error code" was asked for. */
export const olderDemandsRequired = activeCheck({
  id: "V03-EXT-001",
  title: "a message without the required extension is refused",
  remedy: "Refuse messages whose X-A2A-Extensions does not name every extension that the card requires.",
  uses: { sentMessage, messageWithoutExtension },
  judge({ sentMessage: { call: control }, messageWithoutExtension: call }) {
    if (errorOf(control)) return notExamined("not-triggered", "the message is refused with the extension as well");
    const what = "a message that does not declare the required extension";
    const details = { saw: describeReply(call), want: "an error", at: call };
    if (isInternal(call)) return crashed(`${what} makes the agent break down`, details);
    if (call.reply.is === "failure") return notExamined("unstable", `it got no answer: ${describeReply(call)}`);
    return errorOf(call) ? holds() : broken(`${what} is served`, details);
  },
});
