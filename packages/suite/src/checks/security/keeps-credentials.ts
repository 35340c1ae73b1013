import type { Call } from "../../define/call.ts";
import { passiveCheck } from "../../define/check.ts";
import { broken, holds } from "../../define/finding.ts";
import { unauthenticatedCalls } from "../../observations/unauthenticated-calls.ts";

/** Fields that carry nothing but a credential, and those that put a scheme before it. */
const carriers = /^(authorization|proxy-authorization|(x-)?api-key|x-auth-token|x-access-token|x-goog-api-key)$/i;

/** Shorter ones may turn up by chance. */
const shortest = 8;

/** What we showed as credentials with this request. */
function shownIn({ exchange }: Call): string[] {
  return exchange.http.request.headers
    .filter(([name]) => carriers.test(name))
    .map(([, value]) => value.replace(/^[A-Za-z][\w-]*\s+(?=\S)/, ""))
    .filter(({ length }) => length >= shortest);
}

/** Everything that came back, as pieces of text. */
function answered({ exchange: { http } }: Call): string[] {
  const { headers = [], trailers = [], body = new Uint8Array() } = http.response ?? {};
  const messages = http.grpc?.messages.map(({ bytes }) => Buffer.from(bytes).toString("utf8")) ?? [];
  const fields = [...headers, ...trailers].flatMap(([name, value]) =>
    // Binary fields are Base64, details of errors among them; messages of gRPC are percent-encoded.
    name.endsWith("-bin") ? [Buffer.from(value, "base64").toString("utf8")] : [value, decoded(value)],
  );
  return [Buffer.from(body).toString("utf8"), ...messages, ...fields];
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

export const keepsCredentials = passiveCheck({
  id: "AUTH-020",
  shownBy: [unauthenticatedCalls],
  judge(call) {
    // A card may describe test credentials, and then they are public anyway.
    if (call.operation === "GetExtendedAgentCard") return undefined;
    const shown = shownIn(call);
    if (shown.length === 0 || !call.exchange.http.response) return undefined;
    const pieces = answered(call);
    const leaked = shown.find((credential) => pieces.some((piece) => piece.includes(credential)));
    if (leaked === undefined) return holds();
    const text = pieces.find((piece) => piece.includes(leaked))!;
    const at = text.indexOf(leaked);
    // The report must not repeat them in turn.
    const around = text.slice(Math.max(0, at - 60), at + leaked.length + 20).replaceAll(leaked, "<our credentials>");
    return broken("an answer repeats the credentials of the request", { saw: around, want: "an answer without them" });
  },
});
