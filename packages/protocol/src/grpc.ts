export { framed, type GrpcMethod, grpcMessagesIn, grpcMethodAt, unframed } from "./bindings/grpc-body.ts";
export { answerReflection, reflectionPaths } from "./bindings/grpc-reflection.ts";
export { type GrpcService, grpcV03, grpcV10, ProtobufError } from "./bindings/grpc-service.ts";
export { readStatusDetails, type StatusDetails, writeStatusDetails } from "./bindings/grpc-status.ts";
export { grpcStatuses } from "./errors.ts";
