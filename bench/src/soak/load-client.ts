import { randomUUID } from "node:crypto";
import type {
  AnswerOf,
  Binding,
  JsonObject,
  RequestOf,
  StreamingOperation,
  StreamResponse,
  UnaryOperation,
} from "@assay/protocol";
import {
  createEgressGuard,
  createPeer,
  createPeerClients,
  type Peer,
  type PeerClients,
  type PeerTrouble,
} from "@assay/wire";
import type { LatencyTable } from "./latency-table.ts";

/** Thrown if a request gets an unexpected response. */
class Refused extends Error {
  override readonly name = "Refused";
  /** the A2A name of the error, if it has one */
  readonly reason: string | undefined;

  constructor(binding: Binding, operation: string, trouble: PeerTrouble) {
    super(`${binding} ${operation}: ${inWords(trouble)}`);
    this.reason = trouble.is === "error" ? trouble.error.reason : undefined;
  }
}

/** Returns true if the subscription failed because the task has already ended. GetTask then returns the rest. */
export const isOver = (error: unknown): boolean => error instanceof Refused && error.reason === "UNSUPPORTED_OPERATION";

function inWords(trouble: PeerTrouble): string {
  switch (trouble.is) {
    case "error":
      return `${trouble.error.reason ?? trouble.error.http}: ${trouble.error.message}`;
    case "malformed":
      return trouble.because;
    case "invalid":
      return trouble.violations.map(({ path, message }) => `${path} ${message}`).join(", ");
    case "failure":
      return `${trouble.failure.code}: ${trouble.failure.message}`;
  }
}

/** A well-behaved client for one binding. It measures the latency of its requests. */
export class LoadClient {
  readonly binding: Binding;
  readonly #peer: Peer;
  readonly #latencies: LatencyTable;

  constructor(peer: Peer, binding: Binding, latencies: LatencyTable) {
    this.#peer = peer;
    this.binding = binding;
    this.#latencies = latencies;
  }

  async ask<O extends UnaryOperation>(operation: O, request: RequestOf<O>): Promise<AnswerOf<O>> {
    const began = performance.now();
    const answer = await this.#peer.call(operation, request);
    this.#latencies.add(operation, performance.now() - began);
    if (answer.is === "value") return answer.value;
    throw new Refused(this.binding, operation, answer);
  }

  /** Yields the events of a stream, and measures the time to the first one. Leaving the loop closes the stream. */
  async *follow<O extends StreamingOperation>(operation: O, request: RequestOf<O>): AsyncGenerator<StreamResponse> {
    const began = performance.now();
    const stream = await this.#peer.stream(operation, request);
    let isFirst = true;
    try {
      for await (const event of stream.events) {
        if (isFirst) this.#latencies.add(operation, performance.now() - began);
        isFirst = false;
        if (event.is !== "value") throw new Refused(this.binding, operation, event);
        yield event.value;
      }
    } finally {
      stream.close();
    }
  }
}

const bindings = ["JSONRPC", "HTTP+JSON", "GRPC"] as const satisfies readonly Binding[];

/** Clients over every binding; a few clients share each connection. */
export class Clients {
  readonly #clients: readonly LoadClient[];
  readonly #connections: readonly PeerClients[];

  /** `sets` is the number of HTTP/2 connections. HTTP/1.1 opens as many as needed. */
  constructor(url: string, sets: number, latencies: LatencyTable) {
    const guard = createEgressGuard({ allowLoopback: true });
    this.#connections = Array.from({ length: sets }, () => createPeerClients({ guard, userAgent: "soak" }));
    this.#clients = this.#connections.flatMap((connections) =>
      bindings.map((binding) => {
        const address = binding === "GRPC" ? new URL(url).host : `${url}/full`;
        const peer = createPeer(connections, { url: address, binding, dialect: "1.0" }, loggedIn);
        return new LoadClient(peer, binding, latencies);
      }),
    );
  }

  /** Returns a client. Clients with consecutive numbers have different bindings. */
  at(index: number): LoadClient {
    return this.#clients[index % this.#clients.length]!;
  }

  async close(): Promise<void> {
    await Promise.all(this.#connections.map((each) => each.close()));
  }
}

/** Credentials for the extended card; the other operations need none. */
const loggedIn = [["Authorization", "Bearer agentbin-test-token"]] as const;

export const says = (text: string, more: JsonObject = {}) => ({
  message: { messageId: randomUUID(), role: "ROLE_USER" as const, parts: [{ text }], ...more },
});
