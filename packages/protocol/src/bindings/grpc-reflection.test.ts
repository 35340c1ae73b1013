import { create, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { type FileDescriptorProto, FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import {
  ServerReflectionRequestSchema,
  ServerReflectionResponseSchema,
} from "../generated/proto/grpc/reflection/v1/reflection_pb.ts";
import * as alpha from "../generated/proto/grpc/reflection/v1alpha/reflection_pb.ts";
import { answerReflection, reflectionPaths } from "./grpc-reflection.ts";

const services = ["lf.a2a.v1.A2AService", "grpc.reflection.v1.ServerReflection"];

type Question = MessageInitShape<typeof ServerReflectionRequestSchema>["messageRequest"];

function ask(messageRequest: NonNullable<Question>) {
  const question = create(ServerReflectionRequestSchema, { host: "agent.test", messageRequest });
  const bytes = answerReflection(toBinary(ServerReflectionRequestSchema, question), services);
  return fromBinary(ServerReflectionResponseSchema, bytes);
}

function filesIn({ messageResponse }: ReturnType<typeof ask>): FileDescriptorProto[] {
  if (messageResponse.case !== "fileDescriptorResponse") throw new Error(`it was a ${messageResponse.case}`);
  return messageResponse.value.fileDescriptorProto.map((bytes) => fromBinary(FileDescriptorProtoSchema, bytes));
}

test("both versions of the service are served", () => {
  expect(reflectionPaths).toEqual([
    "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
    "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
  ]);
});

test("the services are listed, and the question repeated", () => {
  const answer = ask({ case: "listServices", value: "" });
  expect(answer.validHost).toBe("agent.test");
  expect(answer.originalRequest?.messageRequest).toEqual({ case: "listServices", value: "" });
  expect(answer.messageResponse.case).toBe("listServicesResponse");
  expect(answer.messageResponse.value).toMatchObject({ service: services.map((name) => ({ name })) });
});

test("a question of v1alpha has the same bytes, and so has its answer", () => {
  const messageRequest = { case: "listServices", value: "*" } as const;
  const question = create(alpha.ServerReflectionRequestSchema, { messageRequest });
  const bytes = answerReflection(toBinary(alpha.ServerReflectionRequestSchema, question), services);
  const { messageResponse } = fromBinary(alpha.ServerReflectionResponseSchema, bytes);
  expect(messageResponse.value).toMatchObject({ service: services.map((name) => ({ name })) });
});

describe("files", () => {
  const a2a = "lf/a2a/v1/a2a.proto";

  test.each([
    ["by name", { case: "fileByFilename", value: a2a }],
    ["by a service", { case: "fileContainingSymbol", value: "lf.a2a.v1.A2AService" }],
    ["by a method", { case: "fileContainingSymbol", value: "lf.a2a.v1.A2AService.SendMessage" }],
    ["by a message", { case: "fileContainingSymbol", value: "lf.a2a.v1.Task" }],
    ["by an enum", { case: "fileContainingSymbol", value: "lf.a2a.v1.TaskState" }],
    ["by a field", { case: "fileContainingSymbol", value: "lf.a2a.v1.Task.context_id" }],
    ["by a oneof", { case: "fileContainingSymbol", value: "lf.a2a.v1.Part.content" }],
    ["by a value of an enum", { case: "fileContainingSymbol", value: "lf.a2a.v1.TASK_STATE_WORKING" }],
    [
      "by a message within a message",
      { case: "fileContainingSymbol", value: "lf.a2a.v1.SecurityRequirement.SchemesEntry" },
    ],
  ] as const)("are found %s", (_how, question) => {
    expect(filesIn(ask(question))[0]?.name).toBe(a2a);
  });

  test("come with all that they import, so that a tool needs no second question", () => {
    const files = filesIn(ask({ case: "fileByFilename", value: a2a }));
    const names = files.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { dependency } of files) for (const name of dependency) expect(names).toContain(name);
    expect(names).toContain("google/protobuf/timestamp.proto");
  });

  test("of the errors' details and of reflection itself are there too", () => {
    const symbols = ["google.rpc.ErrorInfo", "google.rpc.Status", "grpc.reflection.v1.ServerReflection"];
    for (const value of symbols)
      expect(filesIn(ask({ case: "fileContainingSymbol", value })).length).toBeGreaterThan(0);
  });

  test("of the older reflection are, since it is listed", () => {
    const value = "grpc.reflection.v1alpha.ServerReflection";
    expect(filesIn(ask({ case: "fileContainingSymbol", value }))[0]?.package).toBe("grpc.reflection.v1alpha");
  });
});

test.each([
  { case: "fileByFilename", value: "nothing.proto" },
  { case: "fileContainingSymbol", value: "lf.a2a.v1.Mood" },
  { case: "fileContainingSymbol", value: "" },
  { case: "fileContainingExtension", value: { containingType: "lf.a2a.v1.Task", extensionNumber: 100 } },
  { case: "allExtensionNumbersOfType", value: "lf.a2a.v1.Task" },
] as const)("what is not there is NOT_FOUND: %j", (question) => {
  const { messageResponse } = ask(question);
  expect([messageResponse.case, messageResponse.value]).toMatchObject(["errorResponse", { errorCode: 5 }]);
});

test("what is no question throws, for the server to say so", () => {
  expect(() => answerReflection(Uint8Array.of(0xff, 0xff), services)).toThrow();
});
