import type { StreamResponse } from "@assay/protocol";
import type { EventStream } from "@assay/wire/server";

/** Writes a stream of the protocol as server-sent events, no faster than the client reads. */
export async function pump(
  stream: EventStream,
  events: AsyncIterable<StreamResponse>,
  envelope: (json: string) => string,
): Promise<void> {
  try {
    for await (const event of events) {
      const behind = stream.send(envelope(JSON.stringify(event)));
      if (behind) await behind;
      if (stream.closed) return;
    }
  } finally {
    stream.end();
  }
}
