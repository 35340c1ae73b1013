import type { GrpcCall } from "@assay/wire/server";

/** Returns a call with changed members. The class has private members, so it cannot be inherited from. */
export function callWith(call: GrpcCall, changed: Partial<Omit<GrpcCall, "answer">>): GrpcCall {
  const other = {
    path: call.path,
    headers: call.headers,
    host: call.host,
    secure: call.secure,
    remoteAddress: call.remoteAddress,
    certificate: call.certificate,
    messages: call.messages,
    signal: call.signal,
    raw: call.raw,
    send: (message: Uint8Array) => call.send(message),
    start: (metadata: Readonly<Record<string, string>>) => call.start(metadata),
    end: (...last: Parameters<GrpcCall["end"]>) => call.end(...last),
    ...changed,
  };
  // A change of messages or of the end applies here too.
  const answer = (message: Uint8Array): void => {
    void other.send(message);
    other.end(0);
  };
  return { ...other, answer };
}
