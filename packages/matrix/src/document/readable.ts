import { grpcMessagesIn } from "@assay/protocol/grpc";
import type { HarEntry } from "@assay/suite/report";
import type { MatrixExchange } from "./evidence.ts";

/** Converts an exchange for reading: protobuf becomes JSON, and its stream becomes events. */
export function readable(exchange: MatrixExchange): MatrixExchange {
  if (exchange.interface?.binding !== "GRPC") return exchange;
  const { request, response } = exchange.entry;
  const { postData } = request;
  const asked = postData && messagesIn(postData.text, postData._encoding, request.url, "request");
  const answered = messagesIn(response.content.text, response.content.encoding, request.url, "answer");
  return {
    ...exchange,
    entry: {
      ...exchange.entry,
      request: {
        ...request,
        ...(asked && { postData: { mimeType: postData.mimeType, text: asked.map(written).join("\n") } }),
      },
      response: { ...response, ...(answered?.length && { content: contentOf(response, answered) }) },
    },
  };
}

function contentOf(
  { content, _arrivals = [] }: HarEntry["response"],
  messages: readonly unknown[],
): HarEntry["response"]["content"] {
  const { size, mimeType } = content;
  if (_arrivals.length < 2) return { size, mimeType, text: messages.map(written).join("\n") };
  return { size, mimeType: "text/event-stream", text: messages.map((each) => `data: ${written(each)}\n\n`).join("") };
}

const messagesIn = (
  text: string,
  encoding: "base64" | undefined,
  url: string,
  side: "request" | "answer",
): readonly unknown[] | undefined => grpcMessagesIn(Buffer.from(text, encoding ?? "utf8"), url, side);

const written = (message: unknown): string => JSON.stringify(message);
