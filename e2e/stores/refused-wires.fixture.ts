import { randomUUID } from "node:crypto";
import type { JsonObject } from "@assay/protocol";
import { grpcStatuses, grpcV03, grpcV10, readStatusDetails } from "@assay/protocol/grpc";
import type { ServiceError } from "@grpc/grpc-js";
import { GrpcPeer } from "../fixtures/grpc.fixture.ts";

/** How a server rejected a message over one binding and version. */
export interface RefusedWire {
  readonly wire: string;
  /** the HTTP status, or the name of the gRPC status */
  readonly status: number | string;
  /** the response says when to retry */
  readonly saysWhen: boolean;
}

const text = "task-lifecycle";
const in10 = { message: { messageId: randomUUID(), role: "ROLE_USER", parts: [{ text }] } };
const in03 = { message: { kind: "message", messageId: randomUUID(), role: "user", parts: [{ kind: "text", text }] } };
const in03Rest = { message: { messageId: randomUUID(), role: "ROLE_USER", content: [{ text }] } };
const in01 = { id: randomUUID(), message: { role: "user", parts: [{ type: "text", text }] } };
const rpc = (method: string, params: object) => ({ jsonrpc: "2.0", id: 1, method, params });

const overHttp: readonly (readonly [wire: string, path: string, body: object])[] = [
  ["JSON-RPC 1.0", "/full", rpc("SendMessage", in10)],
  ["JSON-RPC 1.0, a stream", "/full", rpc("SendStreamingMessage", in10)],
  ["HTTP+JSON 1.0", "/full/message:send", in10],
  ["HTTP+JSON 1.0, a stream", "/full/message:stream", in10],
  ["JSON-RPC 0.3", "/spec03", rpc("message/send", in03)],
  ["JSON-RPC 0.3, a stream", "/spec03", rpc("message/stream", in03)],
  ["HTTP+JSON 0.3", "/spec03/v1/message:send", in03Rest],
  ["JSON-RPC 0.2", "/spec02", rpc("message/send", in03)],
  ["JSON-RPC 0.1", "/spec01", rpc("tasks/send", in01)],
  ["JSON-RPC 0.1, a stream", "/spec01", rpc("tasks/sendSubscribe", in01)],
];

/** Sends the same message over every binding and version. All must reject it in the same way. */
export async function refusedOnEveryWire(url: string): Promise<RefusedWire[]> {
  const http = overHttp.map(async ([wire, path, body]): Promise<RefusedWire> => {
    const headers = { "Content-Type": "application/json", "A2A-Version": "1.0" };
    if (!/ 1\.0/.test(wire)) Reflect.deleteProperty(headers, "A2A-Version");
    const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
    await response.text();
    return { wire, status: response.status, saysWhen: /^\d+$/.test(response.headers.get("retry-after") ?? "") };
  });
  const { host } = new URL(url);
  return Promise.all([
    ...http,
    overGrpc("gRPC 1.0", host, grpcV10, in10),
    overGrpc("gRPC 0.3", host, grpcV03, in03Grpc),
  ]);
}

const in03Grpc = { request: in03Rest.message };

async function overGrpc(
  wire: string,
  host: string,
  service: ConstructorParameters<typeof GrpcPeer>[1],
  request: object,
): Promise<RefusedWire> {
  const peer = new GrpcPeer(host, service);
  try {
    const answer = await peer.ask("SendMessage", request);
    return { wire, status: `OK ${JSON.stringify(answer)}`, saysWhen: false };
  } catch (thrown) {
    const { code, metadata } = thrown as ServiceError;
    const [bytes] = metadata.get("grpc-status-details-bin") as Buffer[];
    const details: readonly JsonObject[] = (bytes && readStatusDetails(bytes)?.details) ?? [];
    const status = Object.entries(grpcStatuses).find(([, number]) => number === code)?.[0] ?? String(code);
    return { wire, status, saysWhen: details.some((each) => String(each["@type"]).endsWith("google.rpc.RetryInfo")) };
  } finally {
    peer.close();
  }
}

/** The expected rejection while the store is unavailable or full. */
export const unavailableOnEveryWire: readonly RefusedWire[] = [
  ...overHttp.map(([wire]) => ({ wire, status: 503, saysWhen: true })),
  ...["gRPC 1.0", "gRPC 0.3"].map((wire) => ({ wire, status: "UNAVAILABLE", saysWhen: true })),
];
