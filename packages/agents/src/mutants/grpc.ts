import { A2AError, type JsonObject } from "@assay/protocol";
import { readStatusDetails, writeStatusDetails } from "@assay/protocol/grpc";
import type { GrpcCall } from "@assay/wire/server";
import { type Divergence, full, minimal, secure, spec } from "../definition/divergence.ts";
import { callWith } from "../mutation/grpc.ts";

const streams = /\/(SendStreamingMessage|SubscribeToTask)$/;

/** Returns only the error for an unknown method. */
const unimplemented = (call: GrpcCall): GrpcCall =>
  callWith(call, {
    start: () => {},
    send: () => undefined,
    end: () => call.end(12, `unknown method ${call.path}`),
  });

export const grpcMutants: readonly Divergence[] = [
  spec("GRPC-001.no-get", "GetTask over gRPC returns UNIMPLEMENTED.", {
    grpc: (call) => (call.path.endsWith("/GetTask") ? unimplemented(call) : call),
  }),

  spec("GRPC-002.no-list", "ListTasks over gRPC returns UNIMPLEMENTED.", {
    grpc: (call) => (call.path.endsWith("/ListTasks") ? unimplemented(call) : call),
  }),

  spec("GRPC-004.shifted", "SendMessage over gRPC returns its result under a wrong field number.", {
    grpc: (call) =>
      call.path.endsWith("/SendMessage")
        ? // The first byte holds the number of the first field, 1 or 2, in its upper five bits. 0x40 adds 8 to it.
          callWith(call, { send: (message) => call.send(Uint8Array.of(message[0]! + 0x40, ...message.slice(1))) })
        : call,
  }),

  full("GRPC-005.lists-unchecked", "ListTasks over gRPC ignores a2a-version in the metadata.", {
    grpc: (call) =>
      call.path.endsWith("/ListTasks") ? callWith(call, { headers: { ...call.headers, "a2a-version": "1.0" } }) : call,
  }),

  full("GRPC-006.assumes", "The agent treats a gRPC call without a2a-version as a 1.0 call.", {
    grpc: (call) => callWith(call, { headers: { "a2a-version": "1.0", ...call.headers } }),
  }),

  spec("GRPC-008.no-trailers", "Streams over gRPC end without the trailers that hold their status.", {
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

  spec("GRPC-008.canceled", "A gRPC stream ends with CANCELLED after the task has ended.", {
    grpc: (call) =>
      streams.test(call.path)
        ? callWith(call, {
            end: (status, ...more) => (status === 0 ? call.end(1, "canceled") : call.end(status, ...more)),
          })
        : call,
  }),

  spec("GRPC-008.empty-first", "A gRPC stream starts with an empty StreamResponse.", {
    grpc: (call) => {
      let isFirst = streams.test(call.path);
      return callWith(call, {
        send(message) {
          if (isFirst) void call.send(new Uint8Array());
          isFirst = false;
          return call.send(message);
        },
      });
    },
  }),

  spec("GRPC-009.empty", "SendMessage over gRPC returns an empty response.", {
    grpc: (call) =>
      call.path.endsWith("/SendMessage") ? callWith(call, { send: () => call.send(new Uint8Array()) }) : call,
  }),

  full("GRPC-010.other-task", "A created push configuration has the id of another task over gRPC.", {
    codec: (json, { is, binding, operation }) =>
      is === "answer" && binding === "GRPC" && operation === "CreateTaskPushNotificationConfig"
        ? { ...(json as JsonObject), taskId: "another" }
        : json,
  }),

  full("GRPC-011.returns-it", "DeleteTaskPushNotificationConfig over gRPC returns the deleted configuration.", {
    grpc: (call) =>
      call.path.endsWith("/DeleteTaskPushNotificationConfig")
        ? // Field 1 with the text "gone".
          callWith(call, { send: () => call.send(Uint8Array.of(0x0a, 4, 0x67, 0x6f, 0x6e, 0x65)) })
        : call,
  }),

  spec("GRPC-012.no-details", "Errors over gRPC have no ErrorInfo and name the error only in their text.", {
    grpc: (call) => callWith(call, { end: (status, message) => call.end(status, message) }),
  }),

  minimal(
    "GRPC-012.old-column",
    "Uses the gRPC statuses of 1.0.0 and names its errors only in the status message.",
    { grpc: (call) => callWith(call, { end: (status, message) => call.end(status, message) }) },
    { errors: "1.0.0" },
  ),

  spec("GRPC-013.silent", "Errors over gRPC have an empty status message.", {
    grpc: (call) => callWith(call, { end: (status, _message, trailers) => call.end(status, "", trailers) }),
  }),

  spec("GRPC-014.prose", "Errors over gRPC name the invalid field only in their text.", {
    grpc: (call) =>
      callWith(call, {
        end(status, message, trailers) {
          const told = readStatusDetails(Buffer.from(String(trailers?.["grpc-status-details-bin"]), "base64"));
          if (!told?.details.some((detail) => detail["fieldViolations"])) return call.end(status, message, trailers);
          const bare = writeStatusDetails(new A2AError("InvalidParams", message ?? ""));
          return call.end(status, message, { "grpc-status-details-bin": Buffer.from(bare).toString("base64") });
        },
      }),
  }),

  secure("GRPC-015.internal", "A gRPC call without credentials returns INTERNAL.", {
    grpc: (call) =>
      callWith(call, { end: (status, message, more) => call.end(status === 16 ? 13 : status, message, more) }),
  }),

  full("GRPC-016.untold", "Responses over gRPC do not say which extensions are active.", {
    grpc: (call) =>
      callWith(call, {
        start: ({ "a2a-extensions": _untold, ...metadata } = {}) => call.start(metadata),
      }),
  }),

  spec("GRPC-017.ends-well", "SubscribeToTask to an unknown task ends with OK and without a message over gRPC.", {
    grpc: (call) =>
      streams.test(call.path)
        ? callWith(call, { end: (status, ...more) => (status === 5 ? call.end(0) : call.end(status, ...more)) })
        : call,
  }),

  secure("BIND-004.open-grpc", "The agent requires credentials over HTTP but not over gRPC.", {
    grpc: (call) => callWith(call, { headers: { ...call.headers, authorization: "Bearer alice-token" } }),
  }),
];
