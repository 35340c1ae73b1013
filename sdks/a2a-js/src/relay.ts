import { setTimeout as sleep } from "node:timers/promises";
import { GetTaskRequest, type Message, type Part, SendMessageRequest, type Task, TaskState } from "@a2a-js/sdk";
import type { AskAgent } from "@assay/sdk-javascript";
import { clientFor } from "./sdk-client.ts";

const atWork: ReadonlySet<TaskState | undefined> = new Set([
  TaskState.TASK_STATE_SUBMITTED,
  TaskState.TASK_STATE_WORKING,
]);

/** Asks another agent with the SDK's client, and waits until its task ends or is interrupted. */
export const askWithSdk: AskAgent = async (cardUrl, text, signal) => {
  const client = await clientFor(cardUrl);
  const message = { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text }] };
  let answer: Task | Message = await client.sendMessage(SendMessageRequest.fromJSON({ message }), { signal });
  if ("messageId" in answer) return textOf(answer.parts);
  while (atWork.has(answer.status?.state)) {
    await sleep(100, undefined, { signal });
    answer = await client.getTask(GetTaskRequest.fromJSON({ id: answer.id }), { signal });
  }
  return textOf([...answer.artifacts.flatMap(({ parts }) => parts), ...(answer.status?.message?.parts ?? [])]);
};

const textOf = (parts: readonly Part[]): string =>
  parts.flatMap(({ content }) => (content?.$case === "text" ? [content.value] : [])).join("\n");
