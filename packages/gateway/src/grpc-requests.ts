import { randomUUID } from "node:crypto";
import type { JsonObject } from "@assay/protocol";
import { grpcV10 } from "@assay/protocol/grpc";
import type { HeaderPairs } from "@assay/wire";
import type { GrpcSpec } from "./ends.ts";

type Asked = "GetTask" | "SendMessage" | "SendStreamingMessage";

/** Writes a gRPC call of A2A 1.0. Further metadata comes last. */
export const grpcRequestOf = (operation: Asked, params: JsonObject, more: HeaderPairs = []): GrpcSpec => ({
  path: grpcV10.path(operation)!,
  message: grpcV10.writeRequest(operation, params),
  metadata: [["a2a-version", "1.0"], ...more],
  ...(operation === "SendStreamingMessage" && { isStream: true }),
});

/** A gRPC call that makes no agent work. */
export const unknownGrpcTask = (more?: HeaderPairs): GrpcSpec => grpcRequestOf("GetTask", { id: randomUUID() }, more);
