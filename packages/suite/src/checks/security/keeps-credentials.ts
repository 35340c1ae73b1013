import { textOf } from "@assay/wire";
import type { Call } from "../../define/call.ts";
import { passiveCheck } from "../../define/check.ts";
import { broken, holds } from "../../define/finding.ts";
import { unauthenticatedCalls } from "../../observations/unauthenticated-calls.ts";

/** Headers that contain only a credential, or a scheme and a credential. */
const carriers = /^(authorization|proxy-authorization|(x-)?api-key|x-auth-token|x-access-token|x-goog-api-key)$/i;

/** Shorter values may appear by chance. */
const shortest = 8;

/** Returns the credentials of this request. */
function shownIn({ exchange }: Call): string[] {
  return exchange.http.request.headers
    .filter(([name]) => carriers.test(name))
    .map(([, value]) => value.replace(/^[A-Za-z][\w-]*\s+(?=\S)/, ""))
    .filter(({ length }) => length >= shortest);
}

/** Returns the whole response as pieces of text. */
function answered({ exchange: { http } }: Call): string[] {
  const { headers = [], trailers = [], body = new Uint8Array() } = http.response ?? {};
  const messages = http.grpc?.messages.map(({ bytes }) => Buffer.from(bytes).toString("utf8")) ?? [];
  const fields = [...headers, ...trailers].flatMap(([name, value]) =>
    // Binary headers are Base64, including error details; gRPC messages are percent-encoded.
    name.endsWith("-bin") ? [Buffer.from(value, "base64").toString("utf8")] : [value, decoded(value)],
  );
  return [textOf(body), ...messages, ...fields];
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

export const keepsCredentials = passiveCheck("AUTH-020", {
  shownBy: [unauthenticatedCalls],
  judge(call) {
    // A card may describe public test credentials.
    if (call.operation === "GetExtendedAgentCard") return undefined;
    const shown = shownIn(call);
    if (shown.length === 0 || !call.exchange.http.response) return undefined;
    const pieces = answered(call);
    const leaked = shown.find((credential) => pieces.some((piece) => piece.includes(credential)));
    if (leaked === undefined) return holds();
    const text = pieces.find((piece) => piece.includes(leaked))!;
    const at = text.indexOf(leaked);
    // The report must not repeat them.
    const around = text
      .slice(Math.max(0, at - 60), at + leaked.length + 20)
      .replaceAll(leaked, "<credentials of the request>");
    return broken("the response repeats the credentials of the request", {
      saw: around,
      want: "a response without credentials",
    });
  },
});
