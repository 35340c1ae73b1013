import { isInternal } from "../../../answers/expect-error.ts";
import { describeReply, taskIn } from "../../../answers/reading.ts";
import { activeCheck } from "../../../define/check.ts";
import { broken, crashed, holds, notExamined } from "../../../define/finding.ts";
import { inNewerVersion } from "../../../observations/both-versions.ts";
import { withVersion } from "../../../observations/other-version.ts";
import { taskAtRest } from "../../../observations/sent-message.ts";

const spellings = [
  { version: "", what: "an empty A2A-Version" },
  { version: "0.3", what: "A2A-Version 0.3" },
] as const;

export const meansThisVersion = activeCheck({
  id: "V03-VER-002",
  title: "an empty A2A-Version, and one of 0.3, are served as 0.3 like none at all",
  remedy: "Take an empty A2A-Version for 0.3, as a missing one, and answer it the same way.",
  // The 0.3 service of gRPC has a name of its own, and nothing to ask the version by.
  bindings: ["JSONRPC", "HTTP+JSON"],
  uses: { taskAtRest },
  async judge({ taskAtRest: { last } }, target) {
    // The header came with 1.0; an agent that speaks nothing newer need not know it.
    inNewerVersion(target);
    const control = await target.call("GetTask", { id: last.id });
    if (!taskIn(control)) return notExamined("unstable", "the task is gone");
    for (const { version, what } of spellings) {
      const call = await target.call("GetTask", { id: last.id }, { edit: withVersion(version) });
      if (taskIn(call)?.state === taskIn(control)?.state) continue;
      const details = { saw: describeReply(call), want: "the answer that a request without the header gets", at: call };
      if (call.reply.is === "failure" || (isInternal(call) && call.exchange.http.response?.status === 500))
        return crashed(`a request of 0.3 with ${what} makes the agent break down`, details);
      return broken(`a request of 0.3 with ${what} is not served as 0.3`, details);
    }
    return holds();
  },
});
