import { asObject, asText, eventsOf, shown } from "../../answers/reading.ts";
import { passiveCheck } from "../../define/check.ts";
import { broken, holds } from "../../define/finding.ts";
import { taskStream } from "../../observations/task-stream.ts";

export const lastChunkIsLast = passiveCheck({
  id: "STREAM-022",
  title: "nothing is appended to an artifact behind its last chunk",
  remedy: "Set lastChunk only on the final artifactUpdate of an artifact.",
  shownBy: [taskStream],
  judge(call) {
    const closed = new Set<string>();
    const chunks = eventsOf(call).filter(({ is }) => is === "artifact");
    for (const { content, json } of chunks) {
      const id = asText(asObject(content["artifact"])?.["artifactId"]) ?? "";
      if (closed.has(id) && content["append"] === true) {
        return broken("a chunk is appended to an artifact whose last chunk was sent", {
          ...shown(json, 240),
          want: "lastChunk on the final chunk alone",
          at: call,
        });
      }
      // Sent anew without append, an artifact begins again.
      if (content["lastChunk"] === true) closed.add(id);
      else closed.delete(id);
    }
    return chunks.length ? holds() : undefined;
  },
});
