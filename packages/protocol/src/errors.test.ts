import { describe, expect, test } from "vitest";
import {
  A2AError,
  a2aErrors,
  badRequestType,
  type ErrorName,
  errorDetails,
  errorInfoType,
  errorTable,
  grpcStatuses,
  invalidParams,
  isA2ACode,
} from "./errors.ts";

describe("the numbers of an error are those of the specification, before and after 1.0.1", () => {
  // dialects.md §5.1 (codes, reasons) and §5.3 (HTTP and gRPC status, 1.0.0 beside 1.0.1).
  const table: [ErrorName, number, string, number, number, string, string][] = [
    // name, JSON-RPC code, reason, HTTP 1.0.0, HTTP 1.0.1, gRPC 1.0.0, gRPC 1.0.1
    ["TaskNotFound", -32001, "TASK_NOT_FOUND", 404, 404, "NOT_FOUND", "NOT_FOUND"],
    ["TaskNotCancelable", -32002, "TASK_NOT_CANCELABLE", 409, 400, "FAILED_PRECONDITION", "FAILED_PRECONDITION"],
    [
      "PushNotificationNotSupported",
      -32003,
      "PUSH_NOTIFICATION_NOT_SUPPORTED",
      400,
      400,
      "UNIMPLEMENTED",
      "FAILED_PRECONDITION",
    ],
    ["UnsupportedOperation", -32004, "UNSUPPORTED_OPERATION", 400, 400, "UNIMPLEMENTED", "FAILED_PRECONDITION"],
    ["ContentTypeNotSupported", -32005, "CONTENT_TYPE_NOT_SUPPORTED", 415, 400, "INVALID_ARGUMENT", "INVALID_ARGUMENT"],
    ["InvalidAgentResponse", -32006, "INVALID_AGENT_RESPONSE", 502, 500, "INTERNAL", "INTERNAL"],
    [
      "ExtendedAgentCardNotConfigured",
      -32007,
      "EXTENDED_AGENT_CARD_NOT_CONFIGURED",
      400,
      400,
      "FAILED_PRECONDITION",
      "FAILED_PRECONDITION",
    ],
    [
      "ExtensionSupportRequired",
      -32008,
      "EXTENSION_SUPPORT_REQUIRED",
      400,
      400,
      "FAILED_PRECONDITION",
      "FAILED_PRECONDITION",
    ],
    ["VersionNotSupported", -32009, "VERSION_NOT_SUPPORTED", 400, 400, "UNIMPLEMENTED", "FAILED_PRECONDITION"],
    ["TaskGenerationMismatch", -32010, "TASK_GENERATION_MISMATCH", 409, 409, "ABORTED", "ABORTED"],
    ["Parse", -32700, "PARSE_ERROR", 400, 400, "INVALID_ARGUMENT", "INVALID_ARGUMENT"],
    ["InvalidRequest", -32600, "INVALID_REQUEST", 400, 400, "INVALID_ARGUMENT", "INVALID_ARGUMENT"],
    ["MethodNotFound", -32601, "METHOD_NOT_FOUND", 404, 404, "UNIMPLEMENTED", "UNIMPLEMENTED"],
    ["InvalidParams", -32602, "INVALID_PARAMS", 400, 400, "INVALID_ARGUMENT", "INVALID_ARGUMENT"],
    ["Internal", -32603, "INTERNAL_ERROR", 500, 500, "INTERNAL", "INTERNAL"],
  ];

  test.each(table)("%s", (kind, code, reason, http100, http101, grpc100, grpc101) => {
    const error = new A2AError(kind, "told");
    expect(errorTable[kind].reason).toBe(reason);
    expect(error.numbers("1.0.0")).toEqual({ code, http: http100, grpc: grpc100, transport: false });
    expect(error.numbers("1.0.1")).toEqual({ code, http: http101, grpc: grpc101, transport: false });
    expect(error.numbers()).toEqual(error.numbers("1.0.1"));
  });

  const transport: [ErrorName, number, string, number, string][] = [
    ["Unauthenticated", -31401, "UNAUTHENTICATED", 401, "UNAUTHENTICATED"],
    ["PermissionDenied", -31403, "PERMISSION_DENIED", 403, "PERMISSION_DENIED"],
    ["MethodNotAllowed", -32600, "METHOD_NOT_ALLOWED", 405, "UNIMPLEMENTED"],
    ["RequestTimeout", -32600, "REQUEST_TIMEOUT", 408, "DEADLINE_EXCEEDED"],
    ["PayloadTooLarge", -32600, "PAYLOAD_TOO_LARGE", 413, "RESOURCE_EXHAUSTED"],
    ["MisdirectedRequest", -32600, "MISDIRECTED_REQUEST", 421, "INVALID_ARGUMENT"],
    ["TooManyRequests", -31429, "TOO_MANY_REQUESTS", 429, "RESOURCE_EXHAUSTED"],
    ["Unavailable", -32603, "UNAVAILABLE", 503, "UNAVAILABLE"],
  ];

  test.each(transport)("%s is decided below the protocol and the same in both", (kind, code, reason, http, grpc) => {
    const error = new A2AError(kind, "told");
    expect(errorTable[kind].reason).toBe(reason);
    expect(error.numbers("1.0.0")).toEqual({ code, http, grpc, transport: true });
    expect(error.numbers("1.0.1")).toEqual({ code, http, grpc, transport: true });
  });

  test("no error is missing from these tables", () => {
    expect([...table, ...transport].map(([kind]) => kind)).toEqual(Object.keys(errorTable));
  });
});

test("the codes of the released A2A errors are nine different ones, without a gap, and a draft goes on after them", () => {
  const released = a2aErrors.map((name) => errorTable[name].code);
  expect(released).toEqual([-32001, -32002, -32003, -32004, -32005, -32006, -32007, -32008, -32009]);
  const drafted = Object.values(errorTable).filter(({ draft }) => draft !== undefined);
  expect(drafted.map(({ code }) => code)).toEqual([-32010]);
  expect([-32001, -32010, -32099, -32000, -32100, -32603].map(isA2ACode)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});

test("every reason is used once and is UPPER_SNAKE", () => {
  const reasons = Object.values(errorTable).map(({ reason }) => reason);
  expect(new Set(reasons).size).toBe(reasons.length);
  expect(reasons.filter((reason) => !/^[A-Z]+(_[A-Z]+)*$/.test(reason))).toEqual([]);
});

test("the gRPC statuses are the seventeen of google.rpc, numbered in order", () => {
  expect(Object.values(grpcStatuses)).toEqual(Array.from({ length: 17 }, (_, number) => number));
  expect([grpcStatuses.NOT_FOUND, grpcStatuses.FAILED_PRECONDITION, grpcStatuses.UNIMPLEMENTED]).toEqual([5, 9, 12]);
});

describe("the details of an error", () => {
  test("are its reason and domain when there is no more to say", () => {
    expect(errorDetails(new A2AError("TaskNotCancelable", "It is done"))).toEqual([
      {
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        reason: "TASK_NOT_CANCELABLE",
        domain: "a2a-protocol.org",
      },
    ]);
  });

  test("carry the facts as metadata", () => {
    expect(errorDetails(new A2AError("TaskNotFound", "No such task", { facts: { taskId: "t-nope" } }))).toEqual([
      { "@type": errorInfoType, reason: "TASK_NOT_FOUND", domain: "a2a-protocol.org", metadata: { taskId: "t-nope" } },
    ]);
  });

  test("list the fields at fault as seen from the request", () => {
    const error = invalidParams([
      { path: "$.message.parts[0].text", message: "expected a string, got 7" },
      { path: '$["x-note"]', message: "unknown member" },
      { path: "$", message: "expected an object, got an array" },
    ]);
    expect(errorDetails(error)).toEqual([
      { "@type": errorInfoType, reason: "INVALID_PARAMS", domain: "a2a-protocol.org" },
      {
        "@type": badRequestType,
        fieldViolations: [
          { field: "message.parts[0].text", description: "expected a string, got 7" },
          { field: '["x-note"]', description: "unknown member" },
          { field: "request", description: "expected an object, got an array" },
        ],
      },
    ]);
  });

  test("stop after fifty fields", () => {
    const violations = Array.from({ length: 51 }, (_, i) => ({ path: `$.parts[${i}]`, message: "is wrong" }));
    const [, badRequest] = errorDetails(invalidParams(violations));
    const listed = violations.slice(0, 50).map((_, i) => ({ field: `parts[${i}]`, description: "is wrong" }));
    expect(badRequest).toEqual({ "@type": badRequestType, fieldViolations: listed });
  });
});

describe("invalid parameters", () => {
  const first = { path: "$.message.parts", message: "needs at least one element" };
  const second = { path: "$.id", message: "is required and missing" };

  test.each([
    ["none", [], "Invalid parameters"],
    ["one", [first], "Invalid parameters: message.parts needs at least one element"],
    ["two", [first, second], "Invalid parameters: message.parts needs at least one element (and 1 more)"],
  ])("tell of %s in their message and keep all", (_name, violations, message) => {
    const error = invalidParams(violations);
    expect([error.kind, error.message, error.violations]).toEqual(["InvalidParams", message, violations]);
  });
});

test("an A2A error keeps its cause, and has none unless told", () => {
  const cause = new Error("disk full");
  expect(new A2AError("Internal", "It broke", { cause }).cause).toBe(cause);
  expect("cause" in new A2AError("Internal", "It broke")).toBe(false);
});
