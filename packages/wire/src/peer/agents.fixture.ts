import {
  A2AError,
  type Binding,
  type JsonObject,
  type JsonValue,
  type Operation,
  writeRestError,
  writeResult,
  writeRpcError,
} from "@assay/protocol";
import { grpcStatuses, grpcV10, writeStatusDetails } from "@assay/protocol/grpc";
import { onTestFinished } from "vitest";
import type { HttpClientOptions } from "../client/http.ts";
import { httpPeer } from "../client/peers.fixture.ts";
import { createEgressGuard } from "../egress.ts";
import { grpcServer, textIn } from "../grpc/peers.fixture.ts";
import { Recording } from "../recording/recording.ts";
import { createPeerClients, type PeerClients } from "./clients.ts";

/** The fixed responses of an agent: JSON of the 1.0 model, or errors of the protocol. */
export type Script = readonly (JsonValue | A2AError)[];

/** Starts an agent that sends its script to every request, in the format of each binding. */
export const agents: Record<Binding, (operation: Operation, script: Script, isStream?: boolean) => Promise<string>> = {
  JSONRPC: (_operation, script, isStream = false) =>
    httpPeer(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += String(chunk);
      const { id } = JSON.parse(body) as { id: number };
      const texts = script.map((part) =>
        part instanceof A2AError ? writeRpcError(id, part) : writeResult(id, JSON.stringify(part)),
      );
      response.writeHead(200, { "Content-Type": isStream ? "text/event-stream" : "application/json" });
      response.end(isStream ? texts.map((text) => `data: ${text}\n\n`).join("") : texts.join(""));
    }),

  "HTTP+JSON": (_operation, script, isStream = false) =>
    httpPeer((_request, response) => {
      const [first] = script;
      const texts = script.map((part) => (part instanceof A2AError ? writeRestError(part) : JSON.stringify(part)));
      // A stream that fails at once is a complete error response instead (§11.7).
      const opens = isStream && !(first instanceof A2AError);
      response.writeHead(!opens && first instanceof A2AError ? first.numbers().http : 200, {
        "Content-Type": opens ? "text/event-stream" : "application/json",
      });
      response.end(opens ? texts.map((text) => `data: ${text}\n\n`).join("") : texts.join(""));
    }),

  GRPC: async (operation, script) => {
    const { url } = await grpcServer(async (call) => {
      await textIn(call.messages);
      for (const part of script) {
        if (!(part instanceof A2AError)) await call.send(grpcV10.writeAnswer(operation, part));
        else {
          const details = Buffer.from(writeStatusDetails(part)).toString("base64");
          return call.end(grpcStatuses[part.numbers().grpc], part.message, { "grpc-status-details-bin": details });
        }
      }
      call.end(0);
    });
    return new URL(url).host;
  },
};

/** Creates clients that may call this machine, and closes them when the test is over. */
export function testClients(options: Partial<HttpClientOptions> = {}): PeerClients & { readonly recording: Recording } {
  const recording = new Recording();
  const guard = createEgressGuard({ allowLoopback: true });
  const clients = createPeerClients({ guard, recording, ...options });
  onTestFinished(() => clients.close());
  return { ...clients, recording };
}

export const task = (state: string): JsonObject => ({
  id: "t1",
  contextId: "c1",
  status: { state, timestamp: "2026-11-15T10:00:00Z" },
});

export const statusUpdate = (state: string): JsonObject => ({
  statusUpdate: { taskId: "t1", contextId: "c1", status: { state } },
});
