import type { JsonObject } from "@assay/protocol";
import { expect, test } from "vitest";
import type { Call } from "../../define/call.ts";
import { CleanUp, type CleanUpTarget } from "./clean-up.ts";

const callOf = (operation: string, params: JsonObject, reply: object): Call =>
  ({ operation, params, reply, said: reply }) as unknown as Call;

const task = {
  id: "t",
  contextId: "c",
  status: { state: "TASK_STATE_WORKING" },
  history: [{ messageId: "m", role: "ROLE_USER", parts: [{ text: "hello" }] }],
};

/** An agent that lists these tasks, one list after the other, and notes what it is asked. */
function agentWith(...lists: (readonly object[] | undefined)[]): { target: CleanUpTarget; asked: string[] } {
  const asked: string[] = [];
  const call: CleanUpTarget["call"] = async (operation, params) => {
    asked.push(operation);
    const tasks = operation === "ListTasks" ? lists.shift() : [];
    return callOf(operation, params, tasks ? { is: "result", json: { tasks } } : { is: "error", code: -32601 });
  };
  return { target: { call }, asked };
}

/** Ends a run that sent one message and got no response. */
async function endedWith(target: CleanUpTarget): Promise<string[]> {
  const cleanUp = new CleanUp();
  cleanUp.note(callOf("SendMessage", { message: { messageId: "m" } }, { is: "failure" }), target);
  return cleanUp.run(60_000);
}

test("a task is canceled that appears only after the first list", async () => {
  const { target, asked } = agentWith([], [], [task]);
  expect(await endedWith(target)).toEqual([]);
  expect(asked).toEqual(["ListTasks", "ListTasks", "ListTasks", "CancelTask"]);
});

test("a message that made no task is looked for four times", async () => {
  const { target, asked } = agentWith([], [], [], [], []);
  await endedWith(target);
  expect(asked).toEqual(Array(4).fill("ListTasks"));
});

test("an agent without lists is asked once", async () => {
  const { target, asked } = agentWith(undefined);
  await endedWith(target);
  expect(asked).toEqual(["ListTasks"]);
});
