import { activeCheck } from "../../check.ts";
import { breach, type Finding, holds } from "../../finding.ts";
import { unknownTask } from "../../observations/unknown-task.ts";
import { describeReply } from "../../reading.ts";
import { isUnknown } from "../../served.ts";

const core = ["SendMessage", "GetTask", "CancelTask"];

export const knowsCoreMethods = activeCheck({
  id: "V03-CAP-001",
  title: "message/send, tasks/get and tasks/cancel are known",
  remedy: "Serve message/send, tasks/get and tasks/cancel; where nothing can be canceled, answer with an error of A2A.",
  uses: { unknownTask },
  judge({ unknownTask: asked }) {
    const findings = asked
      .filter(({ operation }) => core.includes(operation))
      .map((one): Finding => {
        if (!isUnknown(one, asked)) return holds();
        return breach("operation-not-served", `${one.operation} is unknown to the agent`, {
          saw: describeReply(one.call),
          want: "an answer, or that there is no such task",
          at: one.call,
        });
      });
    return findings;
  },
});
