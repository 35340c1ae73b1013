import { probe } from "../../../check.ts";
import { isInternal } from "../../../expect-error.ts";
import { broken, crashed, holds } from "../../../finding.ts";
import { isSameError, refusedInVain } from "../../../observations/in-vain.ts";
import { inOwnWords } from "../../../observations/own-words.ts";
import { paramsFor, unknownTask } from "../../../observations/unknown-task.ts";
import { asObject, describeReply } from "../../../reading.ts";

export const readsWithoutKind = probe({
  id: "V03-SEND-001",
  title: "a message that does not say by kind that it is one is read all the same",
  remedy: "Take a message in the parameters of a send for one, with or without kind: it can be nothing else there.",
  uses: { unknownTask },
  async probe({ unknownTask: asked }, lab) {
    const plain = refusedInVain(asked);
    if ("instead" in plain) return plain.instead;
    const params = inOwnWords(lab, "SendMessage", paramsFor(lab, "SendMessage"));
    const { kind: _left, ...message } = asObject(params["message"]) ?? {};
    const talk = await lab.call("SendMessage", { ...params, message }, { literal: true, refusable: true, fair: false });
    if (isSameError(talk, plain.control)) return holds();
    const details = {
      saw: describeReply(talk),
      want: `the answer to the same message with kind: ${describeReply(plain.control)}`,
      at: talk,
    };
    if (isInternal(talk)) return crashed("a message without kind makes the agent break down", details);
    return broken("a message without kind is refused for that", details);
  },
});
