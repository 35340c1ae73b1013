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

/** A request that was not answered as it has to be. */
class Refused extends Error {
  override readonly name = "Refused";
  /** the name of the error in A2A, where it is one */
  readonly reason: string | undefined;

  constructor(binding: Binding, operation: string, trouble: PeerTrouble) {
    super(`${binding} ${operation}: ${inWords(trouble)}`);
    this.reason = trouble.is === "error" ? trouble.error.reason : undefined;
  }
}

/** A task that has ended cannot be subscribed to: what is kept of it tells the rest. */
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

/** A client that means well, over one binding. It takes the time of what it asks for. */
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

  /** The events of a stream as they come; the time is that to the first of them. Leaving the loop hangs up. */
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

/** Clients over every binding, on connections that they share with few others. */
export class Clients {
  readonly #clients: readonly LoadClient[];
  readonly #connections: readonly PeerClients[];

  /** `sets`: how many HTTP/2 connections there are; over HTTP/1.1 there are as many as are needed. */
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

  /** Clients whose numbers follow each other are of different bindings. */
  at(index: number): LoadClient {
    return this.#clients[index % this.#clients.length]!;
  }

  async close(): Promise<void> {
    await Promise.all(this.#connections.map((each) => each.close()));
  }
}

/** For the extended card; the other operations ask for nothing. */
const loggedIn = [["Authorization", "Bearer agentbin-test-token"]] as const;

export const says = (text: string, more: JsonObject = {}) => ({
  message: { messageId: randomUUID(), role: "ROLE_USER" as const, parts: [{ text }], ...more },
});
