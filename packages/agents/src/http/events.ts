import type { JsonValue } from "@assay/protocol";
import type { WireReply } from "@assay/wire/server";
import type { Visit } from "./visit.ts";

/** Writes the frames of a stream as server-sent events, no faster than the client reads. */
export async function pump(
  reply: WireReply,
  headers: Readonly<Record<string, string>>,
  frames: AsyncIterable<JsonValue>,
  visit: Visit,
  envelope: (json: string) => string,
): Promise<void> {
  const stream = reply.events(headers);
  try {
    for await (const frame of frames) {
      const behind = stream.send(envelope(JSON.stringify(frame)));
      if (behind) await behind;
      if (stream.closed) return;
    }
    stream.end();
  } catch (error) {
    visit.failed(error);
    // The head is out, so the failure cannot be told in words; a cut connection at least does not look complete.
    reply.raw.destroy();
  }
}
