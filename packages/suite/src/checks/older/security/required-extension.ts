import { probe } from "../../../check.ts";
import { isInternal } from "../../../expect-error.ts";
import { broken, crashed, holds, notExamined } from "../../../finding.ts";
import { undeclared } from "../../../observations/extended.ts";
import { settled } from "../../../observations/settled.ts";
import { describeReply, errorOf } from "../../../reading.ts";

/** What 1.0 gave an error of its own to: before, "an appropriate error code" was asked for. */
export const olderDemandsRequired = probe({
  id: "V03-EXT-001",
  title: "a message without the required extension is refused",
  remedy: "Refuse messages whose X-A2A-Extensions does not name every extension that the card requires.",
  uses: { settled, undeclared },
  probe({ settled: { talk: control }, undeclared: talk }) {
    if (errorOf(control)) return notExamined("no-occasion", "the message is refused with the extension as well");
    const what = "a message that does not declare the required extension";
    const details = { saw: describeReply(talk), want: "an error", at: talk };
    if (isInternal(talk)) return crashed(`${what} makes the agent break down`, details);
    if (talk.reply.is === "failure") return notExamined("unstable", `it got no answer: ${describeReply(talk)}`);
    return errorOf(talk) ? holds() : broken(`${what} is served`, details);
  },
});
