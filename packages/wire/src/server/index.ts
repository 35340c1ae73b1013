export { createEgressGuard, type EgressGuard } from "../egress.ts";
export type { GrpcCall, GrpcHandler } from "../grpc/call.ts";
export { FrameError } from "../grpc/frame.ts";
export { agentCors, cardCors, preflight } from "./cors.ts";
export type { EventStream, Handler, WireReply, WireRequest } from "./handler.ts";
export { createHostCheck } from "./host-check.ts";
export type { Limits } from "./limits.ts";
export { listen, type WireServer } from "./listen.ts";
export { WireError, type WireErrorCode } from "./wire-error.ts";
