import { operations } from "@assay/protocol";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import {
  ServerReflectionRequestSchema,
  ServerReflectionResponseSchema,
} from "../../../packages/protocol/src/generated/proto/grpc/reflection/v1/reflection_pb.ts";
import { frame, hear, rawCall, session } from "./raw-call.fixture.ts";
import { useSpecOverGrpc } from "./spec-over-grpc.fixture.ts";

const { bed, spec } = useSpecOverGrpc();

describe.each(["v1", "v1alpha"])("reflection %s", (version) => {
  type Question = NonNullable<Parameters<typeof create<typeof ServerReflectionRequestSchema>>[1]>["messageRequest"];
  const reflect = (questions: Question[]) => {
    const call = spec.client.makeBidiStreamRequest(
      `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`,
      (question: Question) =>
        Buffer.from(
          toBinary(
            ServerReflectionRequestSchema,
            create(ServerReflectionRequestSchema, { host: "h", messageRequest: question! }),
          ),
        ),
      (bytes: Buffer) => fromBinary(ServerReflectionResponseSchema, bytes),
      spec.metadata({}),
    );
    for (const question of questions) call.write(question);
    call.end();
    return call.toArray() as Promise<ReturnType<typeof create<typeof ServerReflectionResponseSchema>>[]>;
  };

  test("lists both A2A services and itself, and describes them, in one stream", async () => {
    const [list, v10, v03, missing] = await reflect([
      { case: "listServices", value: "" },
      { case: "fileContainingSymbol", value: "lf.a2a.v1.A2AService" },
      { case: "fileContainingSymbol", value: "a2a.v1.A2AService" },
      { case: "fileContainingSymbol", value: "no.such.Service" },
    ]);
    expect(
      list?.messageResponse.case === "listServicesResponse" &&
        list.messageResponse.value.service.map(({ name }) => name),
    ).toEqual([
      "lf.a2a.v1.A2AService",
      "a2a.v1.A2AService",
      "grpc.reflection.v1.ServerReflection",
      "grpc.reflection.v1alpha.ServerReflection",
    ]);
    const methodsIn = (answer: typeof v10) => {
      if (answer?.messageResponse.case !== "fileDescriptorResponse") throw new Error("no descriptors");
      const files = answer.messageResponse.value.fileDescriptorProto.map((bytes) =>
        fromBinary(FileDescriptorProtoSchema, bytes),
      );
      return files.flatMap(({ service }) => service.flatMap(({ method }) => method.map(({ name }) => name)));
    };
    expect(methodsIn(v10).sort()).toEqual(Object.keys(operations).sort());
    expect(methodsIn(v03).sort()).toEqual([
      "CancelTask",
      "CreateTaskPushNotificationConfig",
      "DeleteTaskPushNotificationConfig",
      "GetAgentCard",
      "GetTask",
      "GetTaskPushNotificationConfig",
      "ListTaskPushNotificationConfig",
      "SendMessage",
      "SendStreamingMessage",
      "TaskSubscription",
    ]);
    expect(missing?.messageResponse).toMatchObject({ case: "errorResponse", value: { errorCode: 5 } });
  });

  test("an empty request ends the stream with INVALID_ARGUMENT", async () => {
    const stream = rawCall(session(bed.url), `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`);
    stream.end(frame(Buffer.from("ffffffff", "hex")));
    expect((await hear(stream)).head["grpc-status"]).toBe("3");
  });
});
