import { describeReply } from "../../answers/reading.ts";
import { isUnknown } from "../../answers/served.ts";
import { activeCheck } from "../../define/check.ts";
import { breach, type Finding, holds } from "../../define/finding.ts";
import { unknownTask } from "../../observations/unknown-task.ts";

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
