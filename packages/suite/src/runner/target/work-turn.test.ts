import type { Operation } from "@assay/protocol";
import type { Arrived } from "@assay/wire";
import { beforeEach, expect, test } from "vitest";
import type { Call } from "../../define/call.ts";
import { WorkTurn } from "./work-turn.ts";
import { Workload } from "./workload.ts";

/** A single place, so that one observation has to wait for the other. */
let workload: Workload;
let turn: WorkTurn;
beforeEach(() => {
  workload = new Workload({ first: 1, most: 1 });
  turn = new WorkTurn(workload);
});

/** Whether the place is free now. */
async function isFree(): Promise<boolean> {
  let isIn = false;
  void workload.enter().then((leave) => {
    isIn = true;
    leave();
  });
  await new Promise<void>((resolve) => setImmediate(resolve));
  return isIn;
}

const working = { id: "a", state: "TASK_STATE_WORKING" };
const got = (reply: object): Call =>
  ({ operation: "GetTask" satisfies Operation, params: { id: "a" }, reply }) as unknown as Call;
const inState = (state: string): object => ({ is: "result", json: { id: "a", status: { state } } });

test("a message that is answered without a task gives the place back", async () => {
  const answered = await turn.begin();
  expect(await isFree()).toBe(false);
  answered();
  expect(await isFree()).toBe(true);
});

test("a task at work keeps it until a call shows that it is at rest", async () => {
  (await turn.begin())(working);
  expect(await isFree()).toBe(false);
  turn.note(got(inState("TASK_STATE_WORKING")));
  expect(await isFree()).toBe(false);
  turn.note(got(inState("TASK_STATE_INPUT_REQUIRED")));
  expect(await isFree()).toBe(true);
});

test("so does an event of its stream, and a task that is gone", async () => {
  (await turn.begin())(working);
  const statusUpdate = { taskId: "a", status: { state: "TASK_STATE_COMPLETED" } };
  turn.noteEvent({ is: "result", json: { statusUpdate }, at: 0, bytes: 0 } as Arrived);
  expect(await isFree()).toBe(true);
  (await turn.begin())(working);
  expect(await isFree()).toBe(false);
  turn.note(got({ is: "error", error: { code: -32001 } }));
  expect(await isFree()).toBe(true);
});

test("several messages of one observation share its place, and the last one leaves it", async () => {
  const [first, second] = [await turn.begin(), await turn.begin()];
  first();
  expect(await isFree()).toBe(false);
  second();
  expect(await isFree()).toBe(true);
});

test("what was taken before the first message is kept for it, and left at the end", async () => {
  await turn.take();
  expect(await isFree()).toBe(false);
  turn.end();
  expect(await isFree()).toBe(true);
});

test("the end of the observation leaves it, whatever the agent still does", async () => {
  (await turn.begin())(working);
  turn.end();
  expect(await isFree()).toBe(true);
});
