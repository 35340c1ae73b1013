import type { JsonValue } from "@assay/protocol";
import { grpcMethodAt, unframed } from "@assay/protocol/grpc";
import type { HarEntry } from "@assay/wire";
import type { RecordedRequest } from "./recorded-requests.ts";
import type { RenewedIds } from "./renewed-ids.ts";

/** A recorded request in the form in which it is sent again. */
export interface RequestAgain {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array;
  /** for gRPC: the server and the path; `body` is the message without its framing */
  readonly grpc?: { readonly server: string; readonly path: string };
}

interface Renewal {
  readonly ids: RenewedIds;
  /** replaces the placeholders of the recording by secrets */
  readonly fill: (text: string) => string;
  /** replaces a recorded address by the current one */
  readonly addressNow: (url: string) => string;
}

/** Headers that the client sets itself, or that were about the old connection. */
const ofTheConnection = new Set([
  "host",
  "connection",
  "content-length",
  "keep-alive",
  "te",
  "transfer-encoding",
  "user-agent",
]);

/** Returns undefined if the recording does not contain the whole request: it was not HTTP, or too large. */
export function requestAgain(recorded: RecordedRequest, renewal: Renewal): RequestAgain | undefined {
  const { entry } = recorded.exchange;
  const { method, headers } = entry.request;
  if (!method || !URL.canParse(entry.request.url) || isCutShort(entry.request)) return undefined;
  const { ids, fill } = renewal;
  if (recorded.body !== undefined) ids.renew(recorded.body);
  const kept = headers
    .filter(({ name }) => !name.startsWith(":") && !ofTheConnection.has(name.toLowerCase()))
    .map(({ name, value }) => [name, fill(value)] as const);
  if (entry.request.httpVersion === "HTTP/2") return overGrpc(recorded, kept, renewal);
  return { method, url: addressOf(recorded, renewal), headers: kept, body: bodyOf(recorded, ids, fill) };
}

function overGrpc(
  recorded: RecordedRequest,
  headers: RequestAgain["headers"],
  { ids, fill, addressNow }: Renewal,
): RequestAgain | undefined {
  const { url, postData, method } = recorded.exchange.entry.request;
  const bytes = Buffer.from(postData?.text ?? "", postData?._encoding ?? "utf8");
  const body = renewedMessage(recorded.body, url, (text) => fill(ids.text(text))) ?? unframed(bytes)?.[0];
  if (!body) return undefined;
  const now = addressNow(url);
  const { origin, pathname } = new URL(now);
  return { method, url: now, headers, body, grpc: { server: origin, path: pathname } };
}

/** Returns the gRPC message with its new ids, or undefined if the recorded bytes can be sent unchanged. */
function renewedMessage(
  body: JsonValue | undefined,
  url: string,
  renew: (text: string) => string,
): Uint8Array | undefined {
  const method = grpcMethodAt(url);
  if (!method || body === undefined) return undefined;
  const then = JSON.stringify(body);
  const now = renew(then);
  return now === then ? undefined : method.service.writeRequest(method.operation, JSON.parse(now) as JsonValue);
}

/** Replaces ids only in the path after the interface address, because the address may contain unrelated ids. */
function addressOf({ exchange }: RecordedRequest, { ids, fill, addressNow }: Renewal): string {
  const { url } = exchange.entry.request;
  const base = exchange.interface?.url.replace(/\/+$/, "") ?? "";
  if (!base || !url.startsWith(base)) return addressNow(fill(url));
  const rest = url.slice(base.length);
  ids.renewIn(rest);
  return addressNow(fill(base)) + fill(ids.text(rest, true));
}

function bodyOf({ exchange }: RecordedRequest, ids: RenewedIds, fill: (text: string) => string): Uint8Array {
  const { postData } = exchange.entry.request;
  if (!postData) return new Uint8Array();
  return postData._encoding ? Buffer.from(postData.text, "base64") : Buffer.from(fill(ids.text(postData.text)));
}

/** Returns true if the recording lacks a part of the body. A small difference in length comes from masked secrets. */
function isCutShort({ headers, bodySize }: HarEntry["request"]): boolean {
  const declared = Number(headers.find(({ name }) => name.toLowerCase() === "content-length")?.value ?? 0);
  return declared - bodySize > 1_000;
}
