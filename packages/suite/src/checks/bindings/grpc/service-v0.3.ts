import { isInternal } from "../../../answers/expect-error.ts";
import { asObject, asText, brief, describeReply, errorOf, resultOf, taskIn } from "../../../answers/reading.ts";
import { isUnknown } from "../../../answers/served.ts";
import { activeCheck, type Check } from "../../../define/check.ts";
import { broken, crashed, holds, notApplicable, notExamined } from "../../../define/finding.ts";
import { everyOperation } from "../../../observations/every-operation.ts";
import { noTaskSent } from "../../../observations/no-task.ts";
import { sentMessage } from "../../../observations/sent-message.ts";

const resourceNames = activeCheck({
  id: "V03-GRPC-001",
  title: "a task is asked for by its resource name, and has its bare id",
  remedy: "Read the id of a task from name, as in tasks/{id}, and write it into Task.id without tasks/.",
  uses: { sentMessage },
  judge({ sentMessage: { task, got, call } }) {
    if (!task) return noTaskSent();
    const want = "GetTask with name tasks/{id} answers the Task whose id is {id}";
    if (task.id.startsWith("tasks/"))
      return broken("the id of a task is its resource name", { saw: brief(task.id), want, at: call });
    const shown = got && taskIn(got);
    // Whether the task is there at all is for GET-001 to say.
    if (!shown || shown.id === task.id) return holds();
    return broken("GetTask by a resource name answers a task with another id", { saw: brief(shown.id), want, at: got });
  },
});

const card = activeCheck({
  id: "V03-GRPC-002",
  title: "GetAgentCard answers the card",
  remedy: "Implement GetAgentCard: return the AgentCard, and the extended one to those who are logged in.",
  uses: { everyOperation },
  judge({ everyOperation: asked }) {
    const one = asked.find(({ operation }) => operation === "GetExtendedAgentCard");
    if (!one) return notApplicable("the version has no such call");
    const { call } = one;
    const details = { saw: describeReply(call), want: "an AgentCard", at: call };
    if (isUnknown(one, asked)) return broken("GetAgentCard is not implemented", details);
    // Who may see it is for others to say.
    if (errorOf(call)) return isInternal(call) ? crashed("GetAgentCard breaks down", details) : holds();
    if (call.reply.is === "failure") return notExamined("unstable", `GetAgentCard got no answer: ${details.saw}`);
    if (call.reply.is !== "result") return broken("GetAgentCard is answered with no message of its kind", details);
    return asText(asObject(resultOf(call))?.["name"]) ? holds() : broken("GetAgentCard answers an empty card", details);
  },
});

/** GRPC of 0.3, as far as 1.0 has other rules */
export const olderGrpcChecks: readonly Check[] = [resourceNames, card];
