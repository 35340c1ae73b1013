import { type Operation, operations, type SendMessageResponse } from "@assay/protocol";
import { readStatusDetails } from "@assay/protocol/grpc";
import { describe, expect, test } from "vitest";
import { type GrpcPeer, version10 } from "../../fixtures/grpc.fixture.ts";
import { agentMessage, sending, unknownTask } from "../../fixtures/testbed.fixture.ts";
import { full, useSpecOverGrpc } from "./spec-over-grpc.fixture.ts";

const { spec } = useSpecOverGrpc();

describe("metadata carries the service parameters", () => {
  const versionRefused = { status: "FAILED_PRECONDITION", reason: "VERSION_NOT_SUPPORTED" };

  test.each(["1.0", "1.0.0", "1.0.7"])("a2a-version %s is served", async (version) => {
    const { message } = await spec.ask<SendMessageResponse>("SendMessage", sending("message-only x"), {
      meta: { "a2a-version": version },
    });
    expect(message).toEqual(agentMessage("[message-only] You said: message-only x"));
  });

  test.each<[string, Record<string, string>]>([
    ["a missing one", {}],
    ["an empty one", { "a2a-version": "" }],
    ["0.3", { "a2a-version": "0.3" }],
    ["1.1", { "a2a-version": "1.1" }],
    ["2.0", { "a2a-version": "2.0" }],
    ["garbage", { "a2a-version": "latest" }],
  ])("%s is refused, on calls and on streams, before the task is looked for", async (_name, meta) => {
    for (const operation of Object.keys(operations) as Operation[]) {
      const request = { id: unknownTask, taskId: unknownTask, url: "http://x.example", ...sending("x") };
      expect([operation, await spec.refusal(operation, request, { meta })]).toEqual([operation, versionRefused]);
    }
  });

  test("the error names the supported versions", async () => {
    const error = await spec.call("ListTasks", {}, { meta: {} }).catch((thrown: unknown) => thrown);
    const [bytes] = (error as { metadata: ReturnType<GrpcPeer["metadata"]> }).metadata.get("grpc-status-details-bin");
    expect(readStatusDetails(bytes as Buffer)?.details).toEqual([
      {
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        reason: "VERSION_NOT_SUPPORTED",
        domain: "a2a-protocol.org",
        metadata: { supportedVersions: "1.0, 0.3" },
      },
    ]);
  });

  test("a2a-extensions activates declared extensions, and the response lists them", async () => {
    const timing = "urn:assay:extension:timing:v1";
    const meta = { ...version10, "a2a-extensions": `${timing}, urn:unknown` };
    const { value, head } = await spec.call("SendMessage", full(sending("message-only x")), { meta });
    expect(head.get("a2a-extensions")).toEqual([timing]);
    expect((value as SendMessageResponse).message?.extensions).toEqual([timing]);
    const without = await spec.call("SendMessage", full(sending("message-only x")));
    expect(without.head.get("a2a-extensions")).toEqual([]);
  });

  test("a client has to declare a required extension", async () => {
    const request = { tenant: "strict", ...sending("message-only x") };
    expect(await spec.refusal("SendMessage", request)).toEqual({
      status: "FAILED_PRECONDITION",
      reason: "EXTENSION_SUPPORT_REQUIRED",
    });
    const meta = { ...version10, "a2a-extensions": "urn:assay:extension:acknowledgement:v1" };
    const { message } = await spec.ask<SendMessageResponse>("SendMessage", request, { meta });
    expect(message?.extensions).toEqual(["urn:assay:extension:acknowledgement:v1"]);
  });
});
