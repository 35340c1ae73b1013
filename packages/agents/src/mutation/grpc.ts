import type { GrpcCall } from "@assay/wire/server";

/** A call that behaves differently in these ways. A class with private members, so it cannot be inherited from. */
export const callWith = (call: GrpcCall, changed: Partial<GrpcCall>): GrpcCall => ({
  path: call.path,
  headers: call.headers,
  host: call.host,
  secure: call.secure,
  remoteAddress: call.remoteAddress,
  messages: call.messages,
  signal: call.signal,
  raw: call.raw,
  send: (message) => call.send(message),
  start: (metadata) => call.start(metadata),
  end: (status, message, trailers) => call.end(status, message, trailers),
  ...changed,
});
