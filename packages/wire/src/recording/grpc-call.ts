import type { Exchange } from "./exchange.ts";

/** Whether an exchange is a call of gRPC; JSON is spoken over HTTP/2, too. */
export const isGrpcCall = ({ transport, http }: Exchange): boolean =>
  transport.http2 === true &&
  http.request.headers.some(([name, value]) => name === "content-type" && /^application\/grpc/i.test(value));
