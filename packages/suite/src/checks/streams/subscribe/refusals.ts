import { probe } from "../../../check.ts";
import { expectError, expectInvalid, matches } from "../../../expect-error.ts";
import { type Finding, holds, notExamined } from "../../../finding.ts";
import type { Lab } from "../../../lab.ts";
import { badEndings } from "../../../observations/bad-endings.ts";
import { endedTask } from "../../../observations/ended-task.ts";
import { settled } from "../../../observations/settled.ts";
import { subscribeInVain } from "../../../observations/subscribing.ts";
import { isEnded, taskIn } from "../../../reading.ts";
import { worstOf } from "../../../worst-of.ts";
import { expectNotFound } from "../../lifecycle/not-found.ts";

export const notToEndedTask = probe({
  id: "SUB-003",
  title: "an ended task cannot be subscribed to",
  remedy: "Refuse SubscribeToTask for tasks in a terminal state with UnsupportedOperationError.",
  uses: { endedTask },
  also: { badEndings },
  async probe({ endedTask: { task }, badEndings: others = [] }, lab) {
    const findings = [await judgeSubscription(task.id, lab)];
    for (const { after } of others) {
      const other = taskIn(after);
      if (other && isEnded(other.state)) findings.push(await judgeSubscription(other.id, lab));
    }
    return worstOf("SUB-003", findings, lab);
  },
});

async function judgeSubscription(id: string, lab: Lab): Promise<Finding> {
  const talk = await subscribeInVain(lab, { id });
  if (matches(talk, "TaskNotFound") && !taskIn(await lab.call("GetTask", { id })))
    return notExamined("no-occasion", "the agent does not keep tasks that have ended");
  return expectError(talk, "UnsupportedOperation", { what: "SubscribeToTask for a task that has ended" });
}

export const notToUnknownTask = probe({
  id: "SUB-004",
  title: "subscribing to an unknown task is refused as not found",
  remedy: "Refuse SubscribeToTask for an id you do not know with TaskNotFoundError.",
  uses: {},
  probe: async (_seen, lab) =>
    expectNotFound(await subscribeInVain(lab, { id: lab.unknownId() }), "SubscribeToTask with an unknown id", lab),
});

export const notWithoutStreaming = probe({
  id: "SUB-005",
  title: "an agent that does not claim streaming refuses SubscribeToTask",
  remedy: "Refuse SubscribeToTask with UnsupportedOperationError, or set capabilities.streaming to true.",
  uses: { settled },
  async probe({ settled: { last } }, lab) {
    const talk = await subscribeInVain(lab, { id: last?.id ?? lab.unknownId() });
    // Which of two faults is named first is left open (AMB-34).
    if (!last && matches(talk, "TaskNotFound")) return holds();
    return expectError(talk, "UnsupportedOperation", {
      what: "SubscribeToTask to an agent that does not claim streaming",
    });
  },
});

export const idIsRequired = probe({
  id: "SUB-008",
  title: "SubscribeToTask without an id is refused as invalid",
  remedy: "Check that id is there and not empty; refuse the request as invalid (-32602, INVALID_ARGUMENT) otherwise.",
  uses: {},
  probe: async (_seen, lab) => expectInvalid(await subscribeInVain(lab, {}), "SubscribeToTask without an id"),
});
