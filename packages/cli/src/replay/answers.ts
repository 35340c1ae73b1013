import type { JsonValue } from "@assay/protocol";
import type { HarEntry } from "@assay/wire";
import { messagesIn } from "../recorded/grpc-body.ts";

/** What came back, as JSON: the answer, or the events of a stream in their order. What is no JSON is left out. */
export function answersIn({ request, response }: HarEntry): JsonValue[] {
  const { mimeType, text, encoding } = response.content;
  if (/^application\/grpc/i.test(mimeType))
    return messagesIn(Buffer.from(text, encoding ?? "utf8"), request.url, "answer") ?? [];
  const texts = /^text\/event-stream/i.test(mimeType) ? dataOf(text) : [text];
  return texts.flatMap((each) => {
    const json = jsonIn(each);
    return json === undefined ? [] : [json];
  });
}

/** The data of server-sent events; comments and other fields carry nothing to compare. */
const dataOf = (text: string): string[] =>
  text
    .replaceAll(/\r\n?/g, "\n")
    .split("\n\n")
    .map((event) =>
      event
        .split("\n")
        .filter((line) => line.startsWith("data:"))
        .map((line) => line.slice("data:".length).replace(/^ /, ""))
        .join("\n"),
    )
    .filter((data) => data !== "");

/** Undefined where it is none. */
export function jsonIn(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
