import { create, type DescFile, fromBinary, toBinary } from "@bufbuild/protobuf";
import { type DescriptorProto, type EnumDescriptorProto, FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { file_a2a_v1_a2a } from "../generated/proto/a2a/v1/a2a_pb.ts";
import { file_google_rpc_status } from "../generated/proto/google/rpc/status_pb.ts";
import {
  file_grpc_reflection_v1_reflection,
  ServerReflection,
} from "../generated/proto/grpc/reflection/v1/reflection_pb.ts";
import {
  file_grpc_reflection_v1alpha_reflection,
  ServerReflection as ServerReflectionAlpha,
} from "../generated/proto/grpc/reflection/v1alpha/reflection_pb.ts";
import { file_lf_a2a_v1_a2a } from "../generated/proto/lf/a2a/v1/a2a_pb.ts";

/** Paths of server reflection, which tools such as grpcurl call first. v1 and v1alpha use the same bytes. */
export const reflectionPaths: readonly string[] = [ServerReflection, ServerReflectionAlpha].map(
  ({ typeName }) => `/${typeName}/ServerReflectionInfo`,
);

const { input: RequestSchema, output: ResponseSchema } = ServerReflection.method.serverReflectionInfo;

const roots: readonly DescFile[] = [
  file_lf_a2a_v1_a2a,
  file_a2a_v1_a2a,
  file_google_rpc_status,
  file_grpc_reflection_v1_reflection,
  file_grpc_reflection_v1alpha_reflection,
];

/** All served .proto files with their imports: `name.proto` → its descriptor. */
const files = new Map<string, DescFile>();
for (const root of roots) collect(root);

function collect(file: DescFile): void {
  if (files.has(nameOf(file))) return;
  files.set(nameOf(file), file);
  for (const dependency of file.dependencies) collect(dependency);
}

function nameOf(file: DescFile): string {
  return `${file.name}.proto`;
}

/** Answers one request of a reflection stream. `services` are the services registered on the server. */
export function answerReflection(question: Uint8Array, services: readonly string[]): Uint8Array {
  const request = fromBinary(RequestSchema, question);
  const answer = (messageResponse: Parameters<typeof create<typeof ResponseSchema>>[1] & object) =>
    toBinary(
      ResponseSchema,
      create(ResponseSchema, { validHost: request.host, originalRequest: request, ...messageResponse }),
    );
  const { messageRequest } = request;
  switch (messageRequest.case) {
    case "listServices": {
      const service = services.map((name) => ({ name }));
      return answer({ messageResponse: { case: "listServicesResponse", value: { service } } });
    }
    case "fileByFilename":
    case "fileContainingSymbol": {
      const file =
        messageRequest.case === "fileByFilename" ? files.get(messageRequest.value) : fileWith(messageRequest.value);
      if (!file) break;
      const fileDescriptorProto = [...withImports(file)].map(({ proto }) => toBinary(FileDescriptorProtoSchema, proto));
      return answer({ messageResponse: { case: "fileDescriptorResponse", value: { fileDescriptorProto } } });
    }
  }
  const value = { errorCode: 5, errorMessage: "no such file or symbol" };
  return answer({ messageResponse: { case: "errorResponse", value } });
}

/** Each declared name → its file. Built on first use. */
let symbols: Map<string, DescFile> | undefined;

function fileWith(symbol: string): DescFile | undefined {
  symbols ??= new Map([...files.values()].flatMap((file) => [...symbolsOf(file)].map((name) => [name, file])));
  return symbols.get(symbol);
}

function* symbolsOf({ proto }: DescFile): Generator<string, void> {
  const { package: scope, messageType, enumType, service } = proto;
  yield* typesIn(scope, messageType, enumType);
  for (const { name, method } of service) {
    yield `${scope}.${name}`;
    for (const call of method) yield `${scope}.${name}.${call.name}`;
  }
}

function* typesIn(
  scope: string,
  messages: readonly DescriptorProto[],
  enums: readonly EnumDescriptorProto[],
): Generator<string, void> {
  for (const { name, field, oneofDecl, nestedType, enumType } of messages) {
    const inside = `${scope}.${name}`;
    yield inside;
    for (const member of [...field, ...oneofDecl]) yield `${inside}.${member.name}`;
    yield* typesIn(inside, nestedType, enumType);
  }
  for (const { name, value } of enums) {
    yield `${scope}.${name}`;
    // As in C++, enum values are scoped beside the enum, not inside it.
    for (const constant of value) yield `${scope}.${constant.name}`;
  }
}

function withImports(file: DescFile, seen = new Set<DescFile>()): Set<DescFile> {
  seen.add(file);
  for (const dependency of file.dependencies) if (!seen.has(dependency)) withImports(dependency, seen);
  return seen;
}
