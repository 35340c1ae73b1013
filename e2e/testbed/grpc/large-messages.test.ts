import { gzipSync } from "node:zlib";
import type { ListTasksResponse, SendMessageResponse } from "@assay/protocol";
import { grpcV10 } from "@assay/protocol/grpc";
import { describe, expect, test } from "vitest";
import { agentMessage, expectNormalService, sending } from "../../fixtures/testbed.fixture.ts";
import { frame, hear, rawCall, session } from "./raw-call.fixture.ts";
import { eventsOf, useSpecOverGrpc } from "./spec-over-grpc.fixture.ts";

const { bed, dial, target, spec } = useSpecOverGrpc();

describe("big and compressed messages", () => {
  test("messages of 8 MiB are accepted and returned", async () => {
    const text = `message-only ${"x".repeat(8 * 1024 * 1024)}`;
    const { message } = await spec.ask<SendMessageResponse>("SendMessage", sending(text));
    expect(message?.parts[0]?.text?.length).toBe("[message-only] You said: ".length + text.length);
  });

  test("a stream of large events arrives completely", async () => {
    const events = await eventsOf(spec, "SendStreamingMessage", sending("chunks 40 65536"));
    const sizes = events.flatMap(({ artifactUpdate }) => artifactUpdate?.artifact.parts[0]?.text?.length ?? []);
    expect(sizes).toEqual(Array.from({ length: 40 }, () => 65_536));
  });

  test("a call over 10 MiB is rejected, and the connection stays open", async () => {
    expect(await spec.refusal("SendMessage", sending("x".repeat(11 * 1024 * 1024)))).toEqual({
      status: "RESOURCE_EXHAUSTED",
      reason: "PAYLOAD_TOO_LARGE",
    });
    expect((await spec.ask<ListTasksResponse>("ListTasks", { pageSize: 1 })).pageSize).toBe(1);
  });

  test("a message that announces 4 GiB is rejected at once", async () => {
    const stream = rawCall(session(bed.url), grpcV10.path("SendMessage")!);
    stream.write(Buffer.from([0, 0xff, 0xff, 0xff, 0xff, 0]));
    const { head } = await hear(stream);
    expect(head["grpc-status"]).toBe("8");
  });

  test("the server reads gzip of grpc-js; its response may be uncompressed", async () => {
    const gzip = 2;
    const peer = dial(target(), grpcV10, { channel: { "grpc.default_compression_algorithm": gzip } });
    const text = `message-only ${"squeeze ".repeat(20_000)}`;
    const { message } = await peer.ask<SendMessageResponse>("SendMessage", sending(text));
    expect(message).toEqual(agentMessage(`[message-only] You said: ${text}`));
  });

  test.each<[string, string, Buffer, string]>([
    ["a bomb of 64 MiB", "gzip", gzipSync(Buffer.alloc(64 * 1024 * 1024)), "8"],
    ["gzip that is none", "gzip", Buffer.from("not gzip"), "3"],
    ["a compressed message without a word about how", "identity", gzipSync("x"), "3"],
  ])("%s is refused", async (_name, encoding, bytes, status) => {
    const stream = rawCall(session(bed.url), grpcV10.path("GetTask")!, { "grpc-encoding": encoding });
    stream.end(frame(bytes, 1));
    const { head } = await hear(stream);
    expect(head["grpc-status"]).toBe(status);
    await expectNormalService(bed);
  });

  // https://github.com/grpc/grpc/blob/master/doc/compression.md asks for UNIMPLEMENTED and grpc-accept-encoding;
  // packages/wire/src/grpc/frame.ts knows only "malformed", which becomes INVALID_ARGUMENT.
  test("an unknown encoding returns UNIMPLEMENTED and the supported encodings", async () => {
    const stream = rawCall(session(bed.url), grpcV10.path("GetTask")!, { "grpc-encoding": "zstd" });
    stream.end(frame(Buffer.from("x"), 1));
    const { head } = await hear(stream);
    expect([head["grpc-status"], head["grpc-accept-encoding"]]).toEqual(["12", expect.stringContaining("gzip")]);
  });

  test("a message in many small pieces is assembled", async () => {
    const stream = rawCall(session(bed.url), grpcV10.path("SendMessage")!);
    const bytes = frame(grpcV10.writeRequest("SendMessage", sending("message-only pieces") as never));
    for (const byte of bytes) stream.write(Buffer.from([byte]));
    stream.end();
    const { trailers, body } = await hear(stream);
    expect(trailers["grpc-status"]).toBe("0");
    expect(grpcV10.readAnswer("SendMessage", body.subarray(5))).toEqual({
      message: agentMessage("[message-only] You said: message-only pieces"),
    });
  });
});
