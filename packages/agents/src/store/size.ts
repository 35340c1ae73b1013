import type { Message, Part } from "@assay/protocol";
import type { TaskEvent } from "./store.ts";

/** Roughly what an event costs in memory: its content, plus a flat rate for the objects around it. */
export function sizeOf(event: TaskEvent): number {
  switch (event.is) {
    case "created":
      return 600 + (event.task.history ?? []).reduce((sum, message) => sum + ofMessage(message), 0);
    case "status":
      return 200 + (event.status.message ? ofMessage(event.status.message) : 0);
    case "artifact":
      return 200 + ofParts(event.artifact.parts);
    case "message":
      return ofMessage(event.message);
    case "cancel-requested":
      return 100 + ofJson(event.metadata);
  }
}

const ofMessage = (message: Message): number => 200 + ofParts(message.parts) + ofJson(message.metadata);

function ofParts(parts: readonly Part[]): number {
  let size = 0;
  for (const part of parts) {
    size += 100 + (part.text ?? part.raw ?? part.url ?? "").length + ofJson(part.metadata) + ofJson(part.data);
  }
  return size;
}

const ofJson = (json: unknown): number => (json === undefined ? 0 : JSON.stringify(json).length);
