import type { JsonValue } from "@assay/protocol";
import { framed, grpcMethodAt, ProtobufError, unframed } from "@assay/protocol/grpc";
import { type HarEntry, sseDataIn } from "@assay/wire";
import { isToken, type JsonRedaction, redactedJson, redactedText } from "./redacted-json.ts";

/** Response fields that cannot contain content of the agent. */
const plainFields =
  /^(:status|a2a-.*|access-control-.*|age|allow|cache-control|connection|content-(encoding|length|type)|date|etag|grpc-(accept-encoding|encoding|status)|keep-alive|last-modified|retry-after|server|strict-transport-security|transfer-encoding|vary|via|www-authenticate|x-a2a-extensions|x-accel-buffering)$/i;

type Headers = HarEntry["response"]["headers"];

/** Removes the content of the conversation from an exchange. Structure, ids, states, times and sizes stay. */
export function redactedEntry(entry: HarEntry, take: (text: string) => void): HarEntry {
  const { request, response } = entry;
  const { postData } = request;
  const { _error: failure, _trailers: trailers, ...rest } = response;
  const headers = (fields: Headers): Headers =>
    fields.map(({ name, value }) => {
      if (plainFields.test(name)) return { name, value };
      take(value);
      return { name, value: redactedText(value) };
    });
  const asked =
    postData &&
    redactedBody(
      { text: postData.text, encoding: postData._encoding, type: postData.mimeType },
      request.url,
      "request",
      take,
    );
  const { mimeType: type, size } = response.content;
  const said = redactedBody(
    { text: response.content.text, encoding: response.content.encoding, type },
    request.url,
    "answer",
    take,
  );
  return {
    ...entry,
    request: {
      ...request,
      url: redactedAddress(request.url),
      queryString: request.queryString.map(({ name, value }) => ({
        name,
        value: isToken(value) ? value : redactedText(value),
      })),
      ...(postData &&
        asked && {
          postData: {
            mimeType: postData.mimeType,
            text: asked.text,
            ...(asked.encoding && { _encoding: asked.encoding }),
          },
        }),
    },
    response: {
      ...rest,
      redirectURL: redactedText(rest.redirectURL),
      // The text of an HTTP status is free-form.
      statusText: "",
      headers: headers(response.headers),
      content: { mimeType: type, size, text: said.text, ...(said.encoding && { encoding: said.encoding }) },
      ...(trailers && { _trailers: headers(trailers) }),
      ...(failure !== undefined && { _error: /^[a-z-]+/.exec(failure)?.[0] ?? "unknown" }),
    },
  };
}

/** Addresses contain ids, too. Everything else outside the agent's own address is content. */
function redactedAddress(url: string): string {
  const [path = "", query] = url.split("?", 2);
  const part = (text: string): string => (isToken(text) || text === "" || isAddress(text) ? text : "redacted");
  const pairs = (query ?? "").split("&").map((pair) => pair.split("=").map(part).join("="));
  return `${path.split("/").map(part).join("/")}${query === undefined ? "" : `?${pairs.join("&")}`}`;
}

/** Matches a scheme, or a host and port. */
const isAddress = (text: string): boolean => /^(https?:|[\w.-]+(:\d+)?|\[[\da-f:.]+\](:\d+)?)$/i.test(text);

interface Body {
  readonly text: string;
  readonly encoding: "base64" | undefined;
  readonly type?: string;
}

function redactedBody(
  { text, encoding, type = "" }: Body,
  url: string,
  side: "request" | "answer",
  take: (text: string) => void,
): Body {
  if (text === "") return { text, encoding };
  if (/^application\/grpc/i.test(type)) return redactedGrpc(Buffer.from(text, encoding ?? "utf8"), url, side, take);
  if (encoding) return { text: "", encoding: undefined };
  if (/^text\/event-stream/i.test(type)) {
    const events = sseDataIn(text).map((data) => `data: ${redactedPiece(data, { take })}\n\n`);
    return { text: events.join(""), encoding: undefined };
  }
  return { text: redactedPiece(text, { take }), encoding: undefined };
}

/** Keeps the structure of JSON, and only the length of anything else. */
function redactedPiece(text: string, redaction: JsonRedaction): string {
  try {
    return JSON.stringify(redactedJson(JSON.parse(text) as JsonValue, redaction));
  } catch {
    redaction.take(text);
    return redactedText(text);
  }
}

/** Rewrites a message of the service without its content, and drops other bytes. */
function redactedGrpc(bytes: Buffer, url: string, side: "request" | "answer", take: (text: string) => void): Body {
  const method = grpcMethodAt(url);
  const messages = unframed(bytes);
  try {
    if (!method || !messages) return { text: "", encoding: undefined };
    const { service, operation } = method;
    const again = messages.map((message) => {
      const json =
        side === "request" ? service.readRequest(operation, message) : service.readAnswer(operation, message);
      const redacted = redactedJson(json, { take, isProtobuf: true });
      return framed(
        side === "request" ? service.writeRequest(operation, redacted) : service.writeAnswer(operation, redacted),
      );
    });
    return { text: Buffer.concat(again).toString("base64"), encoding: "base64" };
  } catch (error) {
    if (error instanceof ProtobufError) return { text: "", encoding: undefined };
    throw error;
  }
}
