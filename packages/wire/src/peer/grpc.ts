import {
  type Dialect,
  type GrpcStatus,
  isStreaming,
  type JsonObject,
  type Operation,
  versionHeader,
} from "@assay/protocol";
import {
  type GrpcService,
  grpcStatuses,
  grpcV03,
  grpcV10,
  ProtobufError,
  readStatusDetails,
} from "@assay/protocol/grpc";
import { headerOf } from "../client/http-head.ts";
import type { GrpcClient } from "../grpc/client.ts";
import type { GrpcClientCall } from "../grpc/client-call.ts";
import { decodeStatusMessage } from "../grpc/status-message.ts";
import type { Exchange, HttpResponse } from "../recording/exchange.ts";
import { type Arrived, failureOf, type PeerBinding, type UnaryReply } from "./binding.ts";
import { type Envelope, type PeerError, reasonIn } from "./envelope.ts";
import { type PeerPlace, same } from "./place.ts";

/** gRPC (§10): service parameters and credentials are metadata, errors are the final status. */
export function grpcBinding(
  client: GrpcClient,
  { url, version, headers, edit = same, connection }: PeerPlace,
  dialect: Dialect,
): PeerBinding {
  const service = serviceOf(dialect);
  const start = (operation: Operation, params: JsonObject, signal?: AbortSignal): GrpcClientCall => {
    const path = service.path(operation);
    if (path === undefined) throw new TypeError(`A2A ${dialect.version} has no ${operation} over gRPC.`);
    const message = service.writeRequest(operation, params);
    const metadata = edit([[versionHeader, version ?? dialect.version], ...headers]);
    const isStream = isStreaming(operation) && ({ isStream: true } as const);
    return client.call({ url, path, metadata, message, ...isStream, ...connection }, signal);
  };
  return {
    async call(operation, params, signal) {
      const exchange = await start(operation, params, signal).finished;
      return { exchange, ...readUnary(service, operation, exchange) };
    },
    async stream(operation, params, signal) {
      const call = start(operation, params, signal);
      return { events: readEvents(service, operation, call), finished: call.finished, close: call.cancel };
    },
    write: () => undefined,
    read: grpcReplyReader(dialect),
  };
}

/** Creates a reader for finished exchanges, from any caller. */
export function grpcReplyReader(dialect: Dialect): PeerBinding["read"] {
  const service = serviceOf(dialect);
  return (operation, exchange) => {
    if (!isStreaming(operation)) return readUnary(service, operation, exchange);
    const events: Arrived[] = (exchange.http.grpc?.messages ?? []).map(({ at, bytes }) => ({
      at,
      bytes: bytes.length,
      ...readMessage(service, operation, bytes),
    }));
    const ending = readEnding(exchange);
    // A call that was rejected immediately is an error, not a stream with an error.
    if (ending && events.length === 0) return ending;
    if (ending && ending.is !== "failure") events.push({ at: exchange.timing.end, bytes: 0, ...ending });
    return { is: "stream", events, ...(ending?.is === "failure" && { failure: ending.failure }) };
  };
}

function serviceOf(dialect: Dialect): GrpcService {
  const service = [grpcV10, grpcV03].find((known) => known.dialect === dialect);
  if (!service) throw new TypeError(`A2A ${dialect.version} has no gRPC service.`);
  return service;
}

function readUnary(service: GrpcService, operation: Operation, exchange: Exchange): UnaryReply {
  const ending = readEnding(exchange);
  if (ending) return ending;
  const messages = exchange.http.grpc?.messages ?? [];
  const envelope: Envelope =
    messages.length === 1
      ? readMessage(service, operation, messages[0]!.bytes)
      : { is: "malformed", because: `status OK with ${messages.length} messages instead of one` };
  exchange.envelope = envelope;
  return envelope;
}

async function* readEvents(
  service: GrpcService,
  operation: Operation,
  call: GrpcClientCall,
): AsyncGenerator<Arrived, void> {
  for await (const { at, bytes } of call.messages) {
    yield { at, bytes: bytes.length, ...readMessage(service, operation, bytes) };
  }
  const exchange = await call.finished;
  const ending = readEnding(exchange);
  if (!ending || (ending.is === "failure" && ending.failure.code === "aborted")) return;
  yield { at: exchange.timing.end, bytes: 0, ...ending };
}

function readMessage(service: GrpcService, operation: Operation, bytes: Uint8Array): Envelope {
  try {
    return { is: "result", json: service.readAnswer(operation, bytes) };
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error;
    return { is: "malformed", because: `the message is ${error.message}` };
  }
}

/** Returns how the call ended, or undefined for OK. */
function readEnding(exchange: Exchange): UnaryReply | undefined {
  const { response } = exchange.http;
  if (!response || exchange.failure) return { is: "failure", failure: failureOf(exchange) };
  const ending = readStatus(response);
  if (ending) exchange.envelope = ending;
  return ending;
}

function readStatus(response: HttpResponse): Envelope | undefined {
  const { status, headers, trailers } = response;
  // A call that fails immediately has its status in the headers, without trailers.
  const ending = headerOf(trailers, "grpc-status") === undefined ? headers : trailers;
  const number = headerOf(ending, "grpc-status");
  if (number === undefined) return { is: "malformed", because: `${describe(response)} without a grpc-status` };
  if (!/^\d{1,9}$/.test(number)) return { is: "malformed", because: `the grpc-status is not a number: "${number}"` };
  if (Number(number) === grpcStatuses.OK) return undefined;
  const bin = headerOf(ending, "grpc-status-details-bin");
  const told = bin === undefined ? undefined : readStatusDetails(Buffer.from(bin, "base64"));
  const details = told?.details ?? [];
  const reason = reasonIn(details);
  const error: PeerError = {
    message: decodeStatusMessage(headerOf(ending, "grpc-message") ?? "") || (told?.message ?? ""),
    http: status,
    grpc: named(Number(number)),
    ...(reason === undefined ? {} : { reason }),
    details,
  };
  return { is: "error", error };
}

const describe = ({ status, headers }: HttpResponse): string =>
  `HTTP ${status} (${headerOf(headers, "content-type") ?? "no content-type"})`;

function named(code: number): NonNullable<PeerError["grpc"]> {
  // `Object.entries` loses the type of the keys.
  const status = Object.entries(grpcStatuses).find(([, known]) => known === code)?.[0] as GrpcStatus | undefined;
  return { code, ...(status && { status }) };
}
