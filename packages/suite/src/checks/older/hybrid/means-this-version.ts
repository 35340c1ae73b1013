import { probe } from "../../../check.ts";
import { isInternal } from "../../../expect-error.ts";
import { broken, crashed, holds, notExamined } from "../../../finding.ts";
import { inNewerVersion } from "../../../observations/both-versions.ts";
import { withVersion } from "../../../observations/other-version.ts";
import { settledTask } from "../../../observations/settled.ts";
import { describeReply, taskIn } from "../../../reading.ts";

const spellings = [
  { version: "", what: "an empty A2A-Version" },
  { version: "0.3", what: "A2A-Version 0.3" },
] as const;

export const meansThisVersion = probe({
  id: "V03-VER-002",
  title: "an empty A2A-Version, and one of 0.3, are served as 0.3 like none at all",
  remedy: "Take an empty A2A-Version for 0.3, as a missing one, and answer it the same way.",
  // The 0.3 service of gRPC has a name of its own, and nothing to ask the version by.
  bindings: ["JSONRPC", "HTTP+JSON"],
  uses: { settledTask },
  async probe({ settledTask: { last } }, lab) {
    // Before 1.0 nobody knew the header; who speaks nothing newer need not.
    inNewerVersion(lab);
    const control = await lab.call("GetTask", { id: last.id });
    if (!taskIn(control)) return notExamined("unstable", "the task is gone");
    for (const { version, what } of spellings) {
      const talk = await lab.call("GetTask", { id: last.id }, { edit: withVersion(version) });
      if (taskIn(talk)?.state === taskIn(control)?.state) continue;
      const details = { saw: describeReply(talk), want: "the answer that a request without the header gets", at: talk };
      if (talk.reply.is === "failure" || (isInternal(talk) && talk.exchange.http.response?.status === 500))
        return crashed(`a request of 0.3 with ${what} makes the agent break down`, details);
      return broken(`a request of 0.3 with ${what} is not served as 0.3`, details);
    }
    return holds();
  },
});
