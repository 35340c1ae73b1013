import type { Message, Part } from "@assay/protocol";
import type { TaskEvent } from "./store.ts";

/** Roughly what an event costs in memory: its content, plus a flat rate for the objects around it. */
export function sizeOf(event: TaskEvent): number {
  switch (event.is) {
    case "created":
      return (
        600 + ofJson(event.task.metadata) + (event.task.history ?? []).reduce((sum, each) => sum + ofMessage(each), 0)
      );
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

/** Everything a client writes counts, ids and names too: they may be as long as the body. */
function ofMessage({ messageId, contextId = "", parts, metadata, extensions, referenceTaskIds }: Message): number {
  const named = messageId.length + contextId.length + ofJson(extensions) + ofJson(referenceTaskIds);
  return 200 + named + ofParts(parts) + ofJson(metadata);
}

function ofParts(parts: readonly Part[]): number {
  let size = 0;
  for (const part of parts) {
    const { text, raw, url, filename = "", mediaType = "", metadata, data } = part;
    size +=
      100 + (text ?? raw ?? url ?? "").length + filename.length + mediaType.length + ofJson(metadata) + ofJson(data);
  }
  return size;
}

const ofJson = (json: unknown): number => (json === undefined ? 0 : JSON.stringify(json).length);
