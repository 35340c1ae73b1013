import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { anId } from "../fixtures/testbed.fixture.ts";

/** A message of a user in the form of 0.2 and 0.3. */
export const message = (text: string, more: { taskId?: string; contextId?: string } = {}) => ({
  kind: "message" as const,
  messageId: randomUUID(),
  role: "user" as const,
  parts: [{ kind: "text" as const, text }],
  ...more,
});

interface OlderTask {
  readonly id: string;
  readonly status: object;
  readonly artifacts?: unknown;
}

/** A client of 0.2 or 0.3. */
export interface OlderClient {
  send(text: string): Promise<unknown>;
  sendForTask(text: string): Promise<OlderTask>;
  getTask(id: string): Promise<OlderTask>;
  stream(text: string): Promise<readonly { readonly kind: string }[]>;
}

/** Registers the tests that the clients of 0.2 and 0.3 share. */
export function testConversation({ send, sendForTask, getTask, stream }: OlderClient): void {
  test("sends, and gets a message", async () => {
    expect(await send("message-only hi")).toMatchObject({
      kind: "message",
      role: "agent",
      parts: [{ kind: "text", text: "[message-only] You said: message-only hi" }],
    });
  });

  test("sends, gets a task, and reads it again", async () => {
    const task = await sendForTask("task-lifecycle it");
    expect(task).toMatchObject({
      kind: "task",
      id: anId,
      status: { state: "completed" },
      artifacts: [{ artifactId: "result", parts: [{ text: "[task-lifecycle] Processed: task-lifecycle it" }] }],
    });
    const { status, artifacts } = await getTask(task.id);
    expect([status, artifacts]).toEqual([task.status, task.artifacts]);
  });

  test("follows a stream to its end", async () => {
    const events = await stream("streaming hi");
    expect(events.map(({ kind }) => kind)).toEqual([
      "task",
      "status-update",
      ...Array(4).fill("artifact-update"),
      "status-update",
    ]);
    expect(events.at(-1)).toMatchObject({ status: { state: "completed" }, final: true });
  });
}
