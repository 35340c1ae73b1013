import { type JsonValue, jsonIn } from "@assay/protocol";
import { grpcMessagesIn } from "@assay/protocol/grpc";
import { type HarEntry, sseDataIn } from "@assay/wire";

/** What came back, as JSON: the answer, or the events of a stream in their order. What is no JSON is left out. */
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
