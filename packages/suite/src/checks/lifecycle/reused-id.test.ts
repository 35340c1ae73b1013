import { describe, expect, test } from "vitest";
import { looseTask } from "../../answers/reading.ts";
import { wordsOf } from "../bindings/call.fixture.ts";
import { replied } from "../bindings/reply.fixture.ts";
import { readsChangeNothing } from "../get/reads.ts";
import { idsAreUnique } from "./contexts.ts";
import { keepsItsTime } from "./ended-tasks.ts";

const at = (second: number) => new Date(Date.now() + second * 1000).toISOString();

/** A completed task with the message of the client that started it. */
const task = (messageId: string, timestamp: string, contextId = "c1") => ({
  id: "task-1",
  contextId,
  status: { state: "TASK_STATE_COMPLETED", timestamp },
  history: [{ messageId, role: "ROLE_USER", parts: [{ text: "hello" }] }],
});

const got = (json: ReturnType<typeof task>) => replied("GetTask", { is: "result", json });
const first = task("m1", at(0));

const other = (id: string) => replied("SendMessage", { is: "result", json: { task: { ...first, id } } });

/** The verdict on an ended task that later looks like this. */
async function judged(
  check: typeof keepsItsTime | typeof readsChangeNothing | typeof idsAreUnique,
  later: ReturnType<typeof task>,
) {
  const seen = {
    taskAtRest: { task: looseTask(first), last: looseTask(first), got: got(first), call: got(first) },
    readAgain: [got(later)],
    historiesSeen: [],
    tasksInOneContext: { plain: other("task-2"), referring: other("task-3") },
    taskAfterEnd: { ended: looseTask(first), endedAt: got(first), after: got(later), reopened: false },
  };
  return wordsOf(await check.judge(seen as never, undefined as never));
}

describe("an ended task that looks different later", () => {
  test.each([readsChangeNothing, keepsItsTime])("has changed, if it has the same messages", async (check) => {
    expect(await judged(check, task("m1", at(9)))).toEqual(["broken"]);
  });

  test.each([readsChangeNothing, keepsItsTime])("is another task, if it has other messages", async (check) => {
    expect(await judged(check, task("m2", at(9)))).toEqual(["not-examined"]);
  });

  test("breaks the rule about ids, if it has another context too", async () => {
    expect(await judged(idsAreUnique, task("m1", at(0)))).toEqual(["holds"]);
    expect(await judged(idsAreUnique, task("m2", at(9)))).toEqual(["holds"]);
    expect(await judged(idsAreUnique, task("m2", at(9), "c2"))).toEqual(["broken"]);
  });
});
