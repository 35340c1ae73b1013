import { expect, test } from "vitest";
import { A2AService } from "./generated/proto/lf/a2a/v1/a2a_pb.ts";
import { isStreaming, type Operation, operations } from "./operations.ts";

test("the operations are the calls of the gRPC service, with its messages and its streams", () => {
  const ours = Object.entries(operations).map(([name, { request, answer }]) => ({
    name,
    request,
    answer: answer ?? "Empty",
    streams: isStreaming(name as Operation),
  }));
  const theirs = A2AService.methods.map(({ name, input, output, methodKind }) => ({
    name,
    request: input.name,
    answer: output.name,
    streams: methodKind === "server_streaming",
  }));
  const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);
  expect(ours.sort(byName)).toEqual(theirs.sort(byName));
});
