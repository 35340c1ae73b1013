/** Exports for programs that forward traffic between a client and an agent. */
export { isUnspecified } from "./address-kind.ts";
export { isHarmless } from "./client/bound-credentials.ts";
export { fail, failureFrom } from "./client/failure.ts";
export { headerOf, pairsOf } from "./client/http-head.ts";
export { defaultLimits, type ResponseLimits } from "./client/limits.ts";
export type { ProxySettings } from "./client/proxy.ts";
export { createResponseReader, type ResponseReader } from "./client/response-reader.ts";
export { createTlsTrust, type TlsMaterial, tlsTrustFor } from "./client/tls.ts";
export { type WayOptions, wayTo } from "./client/way-to.ts";
export { readGrpcAddress } from "./grpc/address.ts";
export { createGrpcAnswer, type GrpcAnswer } from "./grpc/client-answer.ts";
export { http2Failure, resetFailure } from "./grpc/client-failure.ts";
export { asOutgoing } from "./grpc/client-metadata.ts";
export { createByteLog } from "./recording/byte-log.ts";
export { createHostCheck, reachableHost } from "./server/host-check.ts";
export { looksLikeHttp2 } from "./server/preface.ts";
export { parseRequestTarget } from "./server/request-target.ts";
