import { grpcV03 } from "@assay/protocol/grpc";
import { expect } from "vitest";
import { useGrpcPeers } from "../../fixtures/grpc.fixture.ts";
import { useTestbed } from "../../fixtures/testbed.fixture.ts";
import { overGrpc } from "./grpc.fixture.ts";
import { overJsonRpc } from "./json-rpc.fixture.ts";
import type { OlderPeer, Sending, TaskSeen, Told } from "./peer.fixture.ts";
import { overRest } from "./rest.fixture.ts";

/** Starts a test bed for the tests of one file, and makes a client for every binding before 1.0. */
export function useOlderWires() {
  const bed = useTestbed({ timeScale: 0.15 });
  const dial = useGrpcPeers();
  const at = (path: string) => () => `${bed.url}/${path}`;
  /** Agents that speak one older version. */
  const native: OlderPeer[] = [
    overJsonRpc("0.3", at("spec03")),
    overRest(at("spec03"), "camel", "0.3 HTTP+JSON"),
    overRest(at("spec03"), "snake", "0.3 HTTP+JSON, by the names of the .proto"),
    overRest(at("spec03"), "schema", "0.3 HTTP+JSON, spelled as over JSON-RPC"),
    overGrpc(dial(() => `127.0.0.1:${bed.port}`, grpcV03)),
    overJsonRpc("0.2", at("spec02")),
    overJsonRpc("0.1", at("spec01")),
  ];
  /** The agent /spec, which speaks 1.0 too. */
  const onSpec: [OlderPeer, OlderPeer] = [
    overJsonRpc("0.3", at("spec"), "0.3 JSON-RPC on /spec"),
    overRest(at("spec"), "camel", "0.3 HTTP+JSON on /spec"),
  ];
  const named = (peers: readonly OlderPeer[]) => peers.map((peer) => ({ peer, name: peer.name }));
  return { bed, at, native, onSpec, natively: named(native), everyWire: named([...native, ...onSpec]) };
}

export const words = (text: string, more: Partial<Sending> = {}): Sending => ({ parts: [{ text }], ...more });
export const agentSays = (text: string) => ({ role: "agent", parts: [{ text }] });
export const userSays = (text: string) => ({ role: "user", parts: [{ text }] });

export async function taskFrom(peer: OlderPeer, given: Sending): Promise<TaskSeen> {
  const told = await peer.send(given);
  expect(told.is).toBe("task");
  const { is: _, ...task } = told as Told & { is: "task" };
  return task;
}

/** Creates a running task. If a send cannot return at once, it leaves a stream after its second event. */
export async function atWork(peer: OlderPeer, text: string): Promise<string> {
  if (peer.wire !== "0.1") {
    const { id, state } = await taskFrom(peer, words(text, { wait: false }));
    expect(["submitted", "working"]).toContain(state);
    return id;
  }
  const taskId = `at-work-${crypto.randomUUID()}`;
  expect((await peer.stream(words(text, { taskId }), 2)).length).toBe(2);
  return taskId;
}
