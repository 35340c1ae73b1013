export {
  grpcOperation,
  grpcPath,
  grpcService,
  ProtobufError,
  readGrpcAnswer,
  readGrpcRequest,
  readStatusDetails,
  type StatusDetails,
  writeGrpcAnswer,
  writeGrpcRequest,
  writeStatusDetails,
} from "./bindings/grpc.ts";
export { answerReflection, reflectionPaths } from "./bindings/grpc-reflection.ts";
