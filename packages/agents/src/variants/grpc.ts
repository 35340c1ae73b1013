import { spec } from "../definition/divergence.ts";
import { callWith } from "../mutation/grpc.ts";

/** Field 1999 with the number 7: no message of A2A has it, and readers of protobuf keep or skip what they do not know. */
const unknownField = Uint8Array.of(0xf8, 0x7c, 0x07);

/** gRPC as other stacks speak it. */
export const grpcVariants = [
  // §5.7 in protobuf's terms; proxies and newer protos add fields and metadata.
  spec("grpc-extras", "Over gRPC, messages have a field that no schema knows, and metadata and trailers more names.", {
    grpc: (call) =>
      callWith(call, {
        start: (metadata) => call.start({ ...metadata, "x-request-id": "9f86d081" }),
        send: (message) => call.send(Buffer.concat([message, unknownField])),
        end: (status, message, trailers) => call.end(status, message, { ...trailers, "x-served-by": "assay" }),
      }),
  }),
];
