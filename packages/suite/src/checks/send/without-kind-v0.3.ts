import { isInternal } from "../../answers/expect-error.ts";
import { asObject, describeReply } from "../../answers/reading.ts";
import { activeCheck } from "../../define/check.ts";
import { broken, crashed, holds } from "../../define/finding.ts";
import { inDialectOf } from "../../observations/in-dialect-of.ts";
import { isSameError, refusalOfUnknownTask } from "../../observations/send-to-unknown-task.ts";
import { paramsFor, unknownTask } from "../../observations/unknown-task.ts";

export const readsWithoutKind = activeCheck({
  id: "V03-SEND-001",
  title: "a message that does not say by kind that it is one is read all the same",
  remedy: "Take a message in the parameters of a send for one, with or without kind: it can be nothing else there.",
  uses: { unknownTask },
  async judge({ unknownTask: asked }, target) {
    const plain = refusalOfUnknownTask(asked);
    if ("instead" in plain) return plain.instead;
    const params = inDialectOf(target, "SendMessage", paramsFor(target, "SendMessage"));
    const { kind: _left, ...message } = asObject(params["message"]) ?? {};
    const call = await target.call(
      "SendMessage",
      { ...params, message },
      { literal: true, refusable: true, fair: false },
    );
    if (isSameError(call, plain.control)) return holds();
    const details = {
      saw: describeReply(call),
      want: `the answer to the same message with kind: ${describeReply(plain.control)}`,
      at: call,
    };
    if (isInternal(call)) return crashed("a message without kind makes the agent break down", details);
    return broken("a message without kind is refused for that", details);
  },
});
