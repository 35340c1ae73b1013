import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { AskAgent } from "@assay/sdk-javascript";
import type { Message, Part, Task } from "a2a-sdk-0.3";
import { clientFor } from "./sdk-client.ts";

/** Asks another agent with the SDK's client, and waits until its task ends or is interrupted. */
export const askWithSdk: AskAgent = async (cardUrl, text, signal) => {
  const client = await clientFor(cardUrl);
  const message: Message = { kind: "message", messageId: randomUUID(), role: "user", parts: [{ kind: "text", text }] };
  let answer: Task | Message = await client.sendMessage({ message, configuration: { blocking: true } }, { signal });
  if (answer.kind === "message") return textOf(answer.parts);
  while (["submitted", "working"].includes(answer.status.state)) {
    await sleep(100, undefined, { signal });
    answer = await client.getTask({ id: answer.id }, { signal });
  }
  return textOf([...(answer.artifacts ?? []).flatMap(({ parts }) => parts), ...(answer.status.message?.parts ?? [])]);
};

const textOf = (parts: readonly Part[]): string =>
  parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n");
