import { type Operation, type SendMessageResponse, type StreamResponse, type Task, validate } from "@assay/protocol";
import { grpcV10 } from "@assay/protocol/grpc";
import { expect } from "vitest";
import { type Calling, type GrpcPeer, useGrpcPeers } from "../../fixtures/grpc.fixture.ts";
import { useTestbed } from "../../fixtures/testbed.fixture.ts";

/** Streams a chunk every 100 ms, for longer than a test takes. */
export const endless = "chunks 1000 10 1000";

/** Starts a test bed for the tests of one file; `spec` is a gRPC client of its agent /spec. */
export function useSpecOverGrpc() {
  const bed = useTestbed();
  const dial = useGrpcPeers();
  const target = () => `127.0.0.1:${bed.port}`;
  return { bed, dial, target, spec: dial(target, grpcV10) };
}

/** Addresses a request to the agent /full on the shared port. */
export const full = (request: object) => ({ tenant: "full", ...request });

/** Sends a message that starts a task, and validates the task. */
export async function taskFrom(peer: GrpcPeer, request: object): Promise<Task> {
  const { task } = await peer.ask<SendMessageResponse>("SendMessage", request);
  expect(validate("Task", task)).toEqual([]);
  return task!;
}

/** Reads a stream to its end, and validates each event. */
export async function eventsOf(
  peer: GrpcPeer,
  operation: Operation,
  request: object,
  more?: Calling,
): Promise<StreamResponse[]> {
  const events = await peer.open<StreamResponse>(operation, request, more).toArray();
  for (const event of events) expect(validate("StreamResponse", event)).toEqual([]);
  return events as StreamResponse[];
}
