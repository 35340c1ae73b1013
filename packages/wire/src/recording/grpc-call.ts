import type { Exchange } from "./exchange.ts";

/** Returns true if an exchange is a gRPC call. HTTP/2 also carries JSON. */
export const isGrpcCall = ({ transport, http }: Exchange): boolean =>
  transport.http2 === true &&
  http.request.headers.some(([name, value]) => name === "content-type" && /^application\/grpc/i.test(value));
