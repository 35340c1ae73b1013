import { callWith } from "../bending/grpc.ts";
import { mutant } from "../mutant.ts";

const streams = /\/(SendStreamingMessage|SubscribeToTask)$/;

export const grpcMutants = [
  mutant("GRPC-004.shifted", "spec", "Writes the answer to a message under a field number that does not exist.", {
    grpc: (call) =>
      call.path.endsWith("/SendMessage")
        ? // The first byte of a message is its first field: number 1 or 2 in the upper five bits, moved on by eight.
          callWith(call, { send: (message) => call.send(Uint8Array.of(message[0]! + 0x40, ...message.slice(1))) })
        : call,
  }),

  mutant("GRPC-005.deaf", "full", "Looks at no version in the metadata of a call, and serves it as 1.0.", {
    grpc: (call) => callWith(call, { headers: { ...call.headers, "a2a-version": "1.0" } }),
  }),

  mutant("GRPC-008.no-trailers", "spec", "Ends its streams without the trailers that hold their status.", {
    grpc: (call) =>
      streams.test(call.path)
        ? callWith(call, {
            end(status, ...more) {
              if (status !== 0) return call.end(status, ...more);
              call.raw.once("wantTrailers", () => call.raw.sendTrailers({ "x-served-by": "assay" }));
              call.raw.end();
            },
          })
        : call,
  }),

  mutant("GRPC-012.no-details", "spec", "Names its errors in the text of the status alone.", {
    grpc: (call) => callWith(call, { end: (status, message) => call.end(status, message) }),
  }),

  mutant("GRPC-013.silent", "spec", "Ends failed calls with a status and no word.", {
    grpc: (call) => callWith(call, { end: (status, _message, trailers) => call.end(status, "", trailers) }),
  }),

  mutant("BIND-004.open-grpc", "secure", "Asks for credentials over HTTP and takes every gRPC call for one of alice.", {
    grpc: (call) => callWith(call, { headers: { ...call.headers, authorization: "Bearer alice-token" } }),
  }),
];
