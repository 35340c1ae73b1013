import { expectError, expectInvalid, matches } from "../../answers/expect-error.ts";
import { isEnded, taskIn } from "../../answers/reading.ts";
import { activeCheck } from "../../define/check.ts";
import { type Finding, holds, notExamined } from "../../define/finding.ts";
import type { Target } from "../../define/target.ts";
import { endedTask, messagesToFailedTasks, openAgain } from "../../observations/ended-task.ts";
import { subscribeInVain } from "../../observations/sending.ts";
import { ifSent } from "../../observations/sent-calls.ts";
import { sentMessage } from "../../observations/sent-message.ts";
import { expectNotFound } from "../errors/expect.ts";

export const notToEndedTask = activeCheck("SUB-003", {
  uses: { endedTask },
  also: { messagesToFailedTasks },
  async judge({ endedTask: { task, reopened }, messagesToFailedTasks: others = [] }, target) {
    const findings = [reopened ? notExamined("not-triggered", openAgain) : await judgeSubscription(task.id, target)];
    for (const { after } of others) {
      const other = taskIn(after);
      const finding = other && isEnded(other.state) ? await ifSent(judgeSubscription(other.id, target)) : undefined;
      if (finding) findings.push(finding);
    }
    return findings;
  },
});

async function judgeSubscription(id: string, target: Target): Promise<Finding> {
  const call = await subscribeInVain(target, { id });
  return expectError(call, "UnsupportedOperation", { what: "SubscribeToTask for an ended task" });
}

export const notToUnknownTask = activeCheck("SUB-004", {
  judge: async (_seen, target) =>
    expectNotFound(
      await subscribeInVain(target, { id: target.unknownId() }),
      "SubscribeToTask with an unknown id",
      target,
    ),
});

export const notWithoutStreaming = activeCheck("SUB-005", {
  uses: { sentMessage },
  async judge({ sentMessage: { last } }, target) {
    const call = await subscribeInVain(target, { id: last?.id ?? target.unknownId() });
    // If a request has two faults, either error may come first (AMB-34).
    if (!last && matches(call, "TaskNotFound")) return holds();
    return expectError(call, "UnsupportedOperation", {
      what: "SubscribeToTask without the streaming capability",
    });
  },
});

export const idIsRequired = activeCheck("SUB-008", {
  judge: async (_seen, target) => expectInvalid(await subscribeInVain(target, {}), "SubscribeToTask without an id"),
});
