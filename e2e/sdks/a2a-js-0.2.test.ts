import type { Task } from "a2a-sdk-0.2";
import { A2AClient } from "a2a-sdk-0.2/client";
import { beforeAll, describe, expect, test } from "vitest";
import { collect, unknownTask, until } from "../fixtures/testbed.fixture.ts";
import { message, testConversation } from "./older-conversation.fixture.ts";
import { useSdkServer } from "./server.fixture.ts";

describe("a server of @a2a-js/sdk 0.2.5, with its own client", () => {
  const server = useSdkServer("a2a-js-0.2");
  let client: A2AClient;
  beforeAll(() => {
    client = new A2AClient(server.url);
  });
  const send = async (text: string, more: Parameters<typeof message>[1] = {}, blocking = true) =>
    resultOf(
      await client.sendMessage({
        message: message(text, more),
        configuration: { acceptedOutputModes: [], blocking },
      }),
    );
  const sendForTask = async (...args: Parameters<typeof send>) => (await send(...args)) as Task;
  const getTask = async (id: string) => resultOf(await client.getTask({ id })) as Task;
  const resultOf = (response: object): unknown => {
    expect(response).toEqual({ jsonrpc: "2.0", id: expect.any(Number), result: expect.any(Object) });
    return (response as { result: unknown }).result;
  };
  const stream = (text: string) => collect(client.sendMessageStream({ message: message(text) }));

  test("finds the card at agent.json", async () => {
    const card = await client.getAgentCard();
    expect([card.name, card.url, card.capabilities]).toEqual([
      "a2a-js-0.2",
      `${server.url}/`,
      { streaming: true, pushNotifications: false },
    ]);
  });

  testConversation({ send, sendForTask, getTask, stream });

  test("answers a question, and is done", async () => {
    const { id: taskId, contextId, status } = await sendForTask("multi-turn go");
    expect(status.state).toBe("input-required");
    const done = await sendForTask("done", { taskId, contextId });
    expect([done.id, done.contextId, done.status.state]).toEqual([taskId, contextId, "completed"]);
  });

  test("cancels a working task, and its subscribers see that", async () => {
    const { id } = await sendForTask("task-cancel go", {}, false);
    const following = client.resubscribeTask({ id });
    expect((await following.next()).value).toMatchObject({ kind: "task", id });
    // This SDK answers with the task as it was before the agent heard of it.
    expect(resultOf(await client.cancelTask({ id }))).toMatchObject({ kind: "task", id });
    const { status } = await until(
      () => getTask(id),
      (task) => task.status.state === "canceled",
    );
    expect(status.state).toBe("canceled");
    expect((await collect(following)).at(-1)).toMatchObject({ status: { state: "canceled" }, final: true });
  });

  test("is told of a task that is unknown, of one that is done, and that push is not offered", async () => {
    const codeOf = (response: object) => (response as { error?: { code: number } }).error?.code;
    expect(codeOf(await client.getTask({ id: unknownTask }))).toBe(-32001);
    const { id: taskId } = await sendForTask("task-lifecycle x");
    expect(codeOf(await client.cancelTask({ id: taskId }))).toBe(-32002);
    // The client looks at the card itself; what it would be told is seen by those that ask without it.
    const pushNotificationConfig = { url: "http://127.0.0.1:9/hook" };
    await expect(client.setTaskPushNotificationConfig({ taskId, pushNotificationConfig })).rejects.toThrow();
  });
});
