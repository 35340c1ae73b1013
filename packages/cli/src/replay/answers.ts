import { type JsonValue, jsonIn } from "@assay/protocol";
import { grpcMessagesIn } from "@assay/protocol/grpc";
import { type HarEntry, sseDataIn } from "@assay/wire";

/** Reads the response or the events of a stream as JSON, and skips anything else. */
export function answersIn({ request, response }: HarEntry): JsonValue[] {
  const { mimeType, text, encoding } = response.content;
  if (/^application\/grpc/i.test(mimeType))
    return grpcMessagesIn(Buffer.from(text, encoding ?? "utf8"), request.url, "answer") ?? [];
  const texts = /^text\/event-stream/i.test(mimeType) ? sseDataIn(text) : [text];
  return texts.flatMap((each) => {
    const json = jsonIn(each);
    return json === undefined ? [] : [json];
  });
}
