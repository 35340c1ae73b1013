import { probe } from "../../../check.ts";
import { expectError, expectInvalid, matches } from "../../../expect-error.ts";
import { broken, type Finding, holds, notExamined } from "../../../finding.ts";
import type { Lab } from "../../../lab.ts";
import { badEndings } from "../../../observations/bad-endings.ts";
import { endedCancel } from "../../../observations/ended-task.ts";
import { unknownTask } from "../../../observations/unknown-task.ts";
import { describeReply, errorOf, isEnded, type LooseTask, taskIn } from "../../../reading.ts";
import type { Talk } from "../../../talk.ts";
import { worstOf } from "../../../worst-of.ts";
import { expectNotFound } from "../../lifecycle/not-found.ts";

export const notWhenEnded = probe({
  id: "CANCEL-002",
  title: "a task that has ended cannot be canceled",
  remedy:
    "Refuse CancelTask for completed, failed and rejected tasks with TaskNotCancelableError, and leave them alone.",
  uses: { endedCancel },
  also: { badEndings },
  async probe({ endedCancel: { task, canceled }, badEndings: others = [] }, lab) {
    const findings = [await judgeCancel(task, canceled, lab)];
    for (const { after } of others) {
      const other = taskIn(after);
      // One that took the message it was sent is not at its end any more.
      if (other && isEnded(other.state))
        findings.push(await judgeCancel(other, await lab.call("CancelTask", { id: other.id }), lab));
    }
    return worstOf("CANCEL-002", findings, lab);
  },
});

/** How CancelTask was answered for a task that had ended, and whether it is as it was. */
async function judgeCancel(task: LooseTask, canceled: Talk, lab: Lab): Promise<Finding> {
  const got = await lab.call("GetTask", { id: task.id });
  const state = taskIn(got)?.state;
  if (matches(canceled, "TaskNotFound") && state === undefined)
    return notExamined("no-occasion", "the agent does not keep tasks that have ended");
  if (state !== undefined && state !== task.state) {
    return broken("CancelTask changes the state of a task that had ended", {
      saw: state,
      want: task.state ?? "the state it had ended with",
      at: [canceled, got],
    });
  }
  return expectError(canceled, "TaskNotCancelable", { what: "CancelTask for a task that has ended" });
}

export const notWhenUnknown = probe({
  id: "CANCEL-003",
  title: "cancelling an unknown task is refused as not found",
  remedy: "Refuse CancelTask for an id you do not know with TaskNotFoundError.",
  uses: { unknownTask },
  probe: ({ unknownTask: asked }, lab) => expectNotFound(cancelIn(asked), "CancelTask with an unknown id", lab),
});

// It is asked of every agent.
const cancelIn = (asked: readonly { operation: string; talk: Talk }[]): Talk =>
  asked.find(({ operation }) => operation === "CancelTask")!.talk;

export const takesMetadata = probe({
  id: "CANCEL-007",
  title: "CancelTask takes the task's id as id, and metadata beside it",
  remedy: "Read id (required) and metadata (any object, optional) from CancelTaskRequest.",
  uses: { unknownTask },
  async probe({ unknownTask: asked }, lab) {
    const plain = cancelIn(asked);
    const metadata = { "https://example.com/assay": { reason: "none", count: 1 } };
    const adorned = await lab.call("CancelTask", { id: lab.unknownId(), metadata });
    const alike = nameOf(adorned) === nameOf(plain);
    if (!alike) {
      return broken("CancelTask is answered differently when it comes with metadata", {
        saw: describeReply(adorned),
        want: describeReply(plain),
        at: [adorned, plain],
      });
    }
    return judgeWithoutId(lab);
  },
});

/** What an error is, apart from its words. */
function nameOf(talk: Talk): string {
  const error = errorOf(talk);
  return error ? `${error.code ?? error.grpc?.code ?? error.http} ${error.reason ?? ""}` : talk.reply.is;
}

/** Over HTTP+JSON the id is part of the address and cannot be left out. */
async function judgeWithoutId(lab: Lab): Promise<Finding> {
  if (lab.on.binding === "HTTP+JSON") return holds();
  return expectInvalid(await lab.call("CancelTask", {}), "CancelTask without an id");
}
