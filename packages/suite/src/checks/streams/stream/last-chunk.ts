import { trafficCheck } from "../../../check.ts";
import { broken, holds } from "../../../finding.ts";
import { streamed } from "../../../observations/streamed.ts";
import { asObject, asText, brief, eventsOf } from "../../../reading.ts";

export const lastChunkIsLast = trafficCheck({
  id: "STREAM-022",
  title: "nothing is appended to an artifact behind its last chunk",
  remedy: "Set lastChunk only on the final artifactUpdate of an artifact.",
  occasions: [streamed],
  judge(talk) {
    const closed = new Set<string>();
    const chunks = eventsOf(talk).filter(({ is }) => is === "artifact");
    for (const { content, json } of chunks) {
      const id = asText(asObject(content["artifact"])?.["artifactId"]) ?? "";
      if (closed.has(id) && content["append"] === true) {
        return broken("a chunk is appended to an artifact whose last chunk was sent", {
          saw: brief(json, 240),
          want: "lastChunk on the final chunk alone",
          at: talk,
        });
      }
      // Sent anew without append, an artifact begins again.
      if (content["lastChunk"] === true) closed.add(id);
      else closed.delete(id);
    }
    return chunks.length ? holds() : undefined;
  },
});
