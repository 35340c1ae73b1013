import { type Client, ClientFactory, ClientFactoryOptions } from "a2a-sdk-0.3/client";
import { GrpcTransportFactory } from "a2a-sdk-0.3/client/grpc";
import { beforeAll, describe, expect, test } from "vitest";
import { collect, unknownTask } from "../fixtures/testbed.fixture.ts";
import { message, testConversation } from "./older-conversation.fixture.ts";
import type { SdkServer } from "./server.fixture.ts";

export interface Expected {
  /** of the agent, on its card */
  readonly name: string;
  /** whether the event that asks the user is marked as the stream's last */
  readonly finalQuestion: boolean;
}

/** The client of @a2a-js/sdk 0.3.14 on a server that speaks 0.3, over every binding. */
export function describeServerOf03(server: SdkServer, { name, finalQuestion }: Expected): void {
  describe.each(["JSONRPC", "HTTP+JSON", "GRPC"] as const)("over %s", (binding) => {
    let client: Client;
    beforeAll(async () => {
      const transports = [new GrpcTransportFactory()];
      const options = { transports, preferredTransports: [binding] };
      client = await new ClientFactory(
        ClientFactoryOptions.createFrom(ClientFactoryOptions.default, options),
      ).createFromUrl(server.url);
    });
    const send = (text: string, more: Parameters<typeof message>[1] = {}, blocking = true) =>
      client.sendMessage({ message: message(text, more), configuration: { blocking } });
    const sendForTask = async (...args: Parameters<typeof send>) => {
      const result = await send(...args);
      if (result.kind !== "task") throw new Error(`expected a task, got ${JSON.stringify(result)}`);
      return result;
    };
    const stream = (text: string, more: Parameters<typeof message>[1] = {}) =>
      collect(client.sendMessageStream({ message: message(text, more) }));

    test("finds the card", async () => {
      const card = await client.getAgentCard();
      expect([card.name, card.url, card.capabilities.streaming]).toEqual([name, `${server.url}/`, true]);
      expect(card.protocolVersion).toMatch(/^0\.3/);
    });

    testConversation({ send, sendForTask, getTask: (id) => client.getTask({ id }), stream });

    test("answers a question, and is done", async () => {
      const asked = await stream("multi-turn go");
      expect(asked.at(-1)).toMatchObject({ status: { state: "input-required" }, final: finalQuestion });
      const [first] = asked;
      if (first?.kind !== "task") throw new Error(`expected a task first, got ${JSON.stringify(first)}`);
      const { id: taskId, contextId } = first;
      expect(await sendForTask("done", { taskId, contextId })).toMatchObject({
        id: taskId,
        contextId,
        status: { state: "completed" },
      });
    });

    test("cancels a task at work, and whoever follows it sees that", async () => {
      const { id, status } = await sendForTask("task-cancel go", {}, false);
      expect(["submitted", "working"]).toContain(status.state);
      const following = client.resubscribeTask({ id });
      expect((await following.next()).value).toMatchObject({ kind: "task", id });
      expect((await client.cancelTask({ id })).status.state).toBe("canceled");
      expect((await client.getTask({ id })).status.state).toBe("canceled");
      expect((await collect(following)).at(-1)).toMatchObject({ status: { state: "canceled" }, final: true });
    });

    test("is told of a task that is unknown, and of one that is done", async () => {
      // The classes of this SDK all call themselves "Error", and each transport has its own.
      const errorName = (work: Promise<unknown>) =>
        work.then(
          () => "it was served",
          (error: Error) => error.constructor.name.replace("JSONRPC", ""),
        );
      expect(await errorName(client.getTask({ id: unknownTask }))).toBe("TaskNotFoundError");
      const { id } = await sendForTask("task-lifecycle x");
      expect(await errorName(client.cancelTask({ id }))).toBe("TaskNotCancelableError");
    });
  });
}
