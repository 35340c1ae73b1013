import type { JsonObject, JsonValue, Operation } from "@assay/protocol";
import { type GrpcService, grpcStatuses, readStatusDetails } from "@assay/protocol/grpc";
import {
  type CallOptions,
  type ChannelCredentials,
  type ChannelOptions,
  Client,
  type ClientReadableStream,
  credentials,
  Metadata,
  type ServiceError,
} from "@grpc/grpc-js";
import { afterAll, expect } from "vitest";

export type Meta = Readonly<Record<string, string>>;
export const version10: Meta = { "a2a-version": "1.0" };

/** What a test may change about one call. */
export interface Calling extends CallOptions {
  /** in place of the version that every call of 1.0 names */
  readonly meta?: Meta;
}

/** An error as a client of gRPC sees it. */
export interface GrpcRefusal {
  readonly status: string;
  readonly reason: string;
  /** what google.rpc.BadRequest blames, where there is one */
  readonly fields?: readonly string[];
}

const everything: ChannelOptions = { "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 };

/** @grpc/grpc-js, which nobody here wrote, as a plain client of one service: only the messages are coded by us. */
export class GrpcPeer {
  readonly client: Client;
  readonly service: GrpcService;
  readonly #meta: Meta;

  constructor(
    target: string,
    service: GrpcService,
    more: { channel?: ChannelOptions; credentials?: ChannelCredentials; meta?: Meta } = {},
  ) {
    this.client = new Client(target, more.credentials ?? credentials.createInsecure(), {
      ...everything,
      ...more.channel,
    });
    this.service = service;
    this.#meta = { ...(service.dialect.version === "1.0" ? version10 : {}), ...more.meta };
  }

  close(): void {
    this.client.close();
  }

  metadata(meta: Meta = this.#meta): Metadata {
    const metadata = new Metadata();
    for (const [name, value] of Object.entries(meta)) metadata.set(name, value);
    return metadata;
  }

  /** One answer, with the leading metadata it came with. */
  call(operation: Operation, request: object, options: Calling = {}): Promise<{ value: JsonValue; head: Metadata }> {
    const { meta, ...calling } = options;
    const { service } = this;
    return new Promise((resolve, reject) => {
      let head = new Metadata();
      const made = this.client.makeUnaryRequest(
        service.path(operation)!,
        (json: object) => Buffer.from(service.writeRequest(operation, json as JsonObject)),
        (bytes: Buffer) => service.readAnswer(operation, bytes),
        request,
        this.metadata(meta),
        calling,
        (error, value) => (error ? reject(error) : resolve({ value: value as JsonValue, head })),
      );
      made.on("metadata", (received: Metadata) => {
        head = received;
      });
    });
  }

  async ask<T = JsonObject>(operation: Operation, request: object, options: Calling = {}): Promise<T> {
    return (await this.call(operation, request, options)).value as T;
  }

  open<T = JsonObject>(operation: Operation, request: object, options: Calling = {}): ClientReadableStream<T> {
    const { meta, ...calling } = options;
    const { service } = this;
    return this.client.makeServerStreamRequest(
      service.path(operation)!,
      (json: object) => Buffer.from(service.writeRequest(operation, json as JsonObject)),
      (bytes: Buffer) => service.readAnswer(operation, bytes) as T,
      request,
      this.metadata(meta),
      calling,
    );
  }

  /** Asks and expects to be refused. */
  async refusal(operation: Operation, request: object, options: Calling = {}): Promise<GrpcRefusal> {
    const isStream = operation === "SendStreamingMessage" || operation === "SubscribeToTask";
    const work = isStream
      ? this.open(operation, request, options).toArray()
      : this.call(operation, request, options).then(({ value }) => value);
    return refusalOf(work);
  }
}

const nameOf = (code: number): string =>
  Object.entries(grpcStatuses).find(([, number]) => number === code)?.[0] ?? String(code);

/** Reads an error strictly: what the trailers say twice is said alike, and nothing of our inside shows in it. */
export async function refusalOf(work: Promise<unknown>): Promise<GrpcRefusal> {
  const error = await work.then(
    (value) => {
      throw new Error(`it was served: ${JSON.stringify(value)}`);
    },
    (thrown: unknown) => thrown as ServiceError,
  );
  expect(error).toMatchObject({ code: expect.any(Number), details: expect.stringMatching(/\S/) });
  const [bytes] = error.metadata.get("grpc-status-details-bin") as Buffer[];
  if (!bytes) return { status: nameOf(error.code), reason: "" };
  const told = readStatusDetails(bytes)!;
  expect([told.code, told.message]).toEqual([error.code, error.details]);
  expect(error.details).not.toMatch(/\n\s+at |node:internal|\/packages\/|\.ts:\d/);
  const [info, bad] = told.details;
  expect(info).toMatchObject({
    "@type": "type.googleapis.com/google.rpc.ErrorInfo",
    reason: expect.stringMatching(/^[A-Z_]+$/),
    domain: "a2a-protocol.org",
  });
  const violations = (bad?.["fieldViolations"] ?? []) as { field: string }[];
  return {
    status: nameOf(error.code),
    reason: info!["reason"] as string,
    ...(violations.length ? { fields: violations.map(({ field }) => field) } : {}),
  };
}

/** Peers for the tests of one file, closed behind them. */
export function useGrpcPeers(): (...args: ConstructorParameters<typeof GrpcPeer>) => GrpcPeer {
  const peers: GrpcPeer[] = [];
  afterAll(() => {
    for (const peer of peers) peer.close();
  });
  return (...args) => {
    const peer = new GrpcPeer(...args);
    peers.push(peer);
    return peer;
  };
}
