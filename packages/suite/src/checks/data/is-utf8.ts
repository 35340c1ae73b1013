import { isUtf8 as isValidUtf8 } from "node:buffer";
import { asList, asObject, asText, brief } from "../../answers/loose-json.ts";
import type { Call } from "../../define/call.ts";
import { passiveCheck } from "../../define/check.ts";
import { breach, broken, type Finding, holds } from "../../define/finding.ts";
import { unicodeMessage } from "../../observations/odd-messages.ts";
import { shapesOf } from "../../shapes/of-call.ts";

export const isUtf8 = passiveCheck("DATA-028", {
  shownBy: [unicodeMessage],
  judge: (call) => ofBytes(call) ?? ofText(call),
});

function ofBytes({ exchange }: Call): Finding | undefined {
  const { response, sse } = exchange.http;
  // A truncated or compressed body may end in the middle of a character.
  if (!response || response.bodyTruncated || response.undecoded !== undefined || exchange.failure) return undefined;
  const type = response.headers.find(([name]) => /^content-type$/i.test(name))?.[1] ?? "";
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(type)?.[1];
  const isJson = /^(application\/([\w.+-]+\+)?json|text\/event-stream)\b/i.test(type);
  if (!isJson || response.body.length === 0) return undefined;
  if (charset !== undefined && !/^(utf-?8|us-ascii)$/i.test(charset))
    return broken("a JSON response declares a charset other than UTF-8", { saw: type, want: "UTF-8", at: exchange });
  if (sse ? sse.invalidUtf8 : !isValidUtf8(response.body))
    return broken("a JSON response is not encoded in UTF-8", {
      saw: around(response.body),
      want: "UTF-8",
      at: exchange,
    });
  return undefined;
}

/** Returns the first invalid bytes, with some text before them. */
function around(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString("utf8");
  const end = Buffer.byteLength(text.slice(0, Math.max(0, text.indexOf("\uFFFD"))));
  return `${Buffer.from(bytes.subarray(Math.max(0, end - 20), end)).toString("utf8")} followed by bytes ${Buffer.from(bytes.subarray(end, end + 4)).toString("hex")}`;
}

/** Checks that the agent returns the text of Assay's message unchanged. */
function ofText(call: Call): Finding | undefined {
  const sent = asObject(call.params?.["message"]);
  const shown = shapesOf(call).objects.filter(
    ({ message, value }) =>
      message === "Message" && value["messageId"] === sent?.["messageId"] && value["role"] === "ROLE_USER",
  );
  if (!sent || shown.length === 0) return shapesOf(call).documents.length > 0 ? holds() : undefined;
  const before = textIn(sent);
  const damaged = shown.map(({ value }) => textIn(value)).find((text) => text !== before);
  // An agent that shortens or masks text changes more than the encoding, which is not judged here.
  if (damaged === undefined || plain(damaged) !== plain(before)) return holds();
  const details = { saw: brief(damaged), want: brief(before), at: call };
  return damaged.normalize("NFC") === before.normalize("NFC")
    ? breach("other-normal-form", "the agent changes the Unicode normalization form of text", details)
    : broken("the agent damages non-ASCII text", details);
}

const textIn = (message: Record<string, unknown>): string =>
  asList(message["parts"])
    .map((part) => asText(asObject(part)?.["text"]) ?? "")
    .join("\n");

/** Keeps the characters that no encoding changes. */
const plain = (text: string): string => text.replaceAll(/[^\x20-\x7e]|\?/g, "");
