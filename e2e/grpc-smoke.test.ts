import { startTestbed, type Testbed } from "@assay/agents";
import { grpcPath, readGrpcAnswer, writeGrpcRequest } from "@assay/protocol/grpc";
import { Client, credentials, Metadata } from "@grpc/grpc-js";
import { afterAll, beforeAll, expect, test } from "vitest";

let testbed: Testbed;
beforeAll(async () => {
  testbed = await startTestbed({ host: "127.0.0.1", port: 0, version: "0", timeScale: 0.1 });
});
afterAll(() => testbed.close(0));

test("grpc-js sends a message", async () => {
  const client = new Client(new URL(testbed.url).host, credentials.createInsecure());
  const metadata = new Metadata();
  metadata.set("a2a-version", "1.0");
  const request = { message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "task-lifecycle x" }] } };
  const answer = await new Promise((resolve, reject) => {
    client.makeUnaryRequest(
      grpcPath("SendMessage"),
      (value: object) => Buffer.from(writeGrpcRequest("SendMessage", value as never)),
      (bytes: Buffer) => readGrpcAnswer("SendMessage", bytes),
      request,
      metadata,
      {},
      (error, value) => (error ? reject(error) : resolve(value)),
    );
  });
  expect(answer).toMatchObject({ task: { status: { state: "TASK_STATE_COMPLETED" } } });
  client.close();
});
