export { answerReflection, reflectionPaths } from "./bindings/grpc-reflection.ts";
export { type GrpcService, grpcV03, grpcV10, ProtobufError } from "./bindings/grpc-service.ts";
export { readStatusDetails, type StatusDetails, writeStatusDetails } from "./bindings/grpc-status.ts";
export { grpcStatuses } from "./errors.ts";

import { grpcV10 as service } from "./bindings/grpc-service.ts";
export const grpcPath = service.path as (operation: import("./operations.ts").Operation) => string;
export const {
  readAnswer: readGrpcAnswer,
  writeRequest: writeGrpcRequest,
  writeAnswer: writeGrpcAnswer,
  readRequest: readGrpcRequest,
} = service;
