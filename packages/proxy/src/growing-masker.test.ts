import { framed, grpcV10 } from "@assay/protocol/grpc";
import { expect, test } from "vitest";
import { GrowingMasker } from "./growing-masker.ts";

const credentials = "secret-of-the-webhook";
const authentication = { scheme: "Bearer", credentials };
const webhook = { url: "https://client.example/hook", token: "token-of-the-webhook", authentication };
const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "hi" }] };

test.each([
  ["CreateTaskPushNotificationConfig", { taskId: "t", ...webhook }],
  ["SendMessage", { message, configuration: { taskPushNotificationConfig: webhook } }],
] as const)("a gRPC request of %s teaches the secrets of its webhook", (operation, request) => {
  const masker = new GrowingMasker([]);
  const body = framed(grpcV10.writeRequest(operation, request as never));
  masker.learn({ method: "POST", url: `http://127.0.0.1:1${grpcV10.path(operation)}`, headers: [], body } as never);
  const text = `${credentials} and ${webhook.token}`;
  expect(masker.text(text)).not.toMatch(/secret-of|token-of/);
});
