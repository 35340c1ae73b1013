import { describe, expect, test } from "vitest";
import { A2AError, type ErrorName, errorDetails, errorTable, grpcStatuses, invalidParams } from "../errors.ts";
import { readStatusDetails, writeStatusDetails } from "./grpc-status.ts";

describe("an error's details survive their trailer", () => {
  test.each(Object.keys(errorTable) as ErrorName[])("%s", (name) => {
    const error = new A2AError(name, `about ${name} — «ä»`, { facts: { taskId: "t1" } });
    expect(readStatusDetails(writeStatusDetails(error))).toEqual({
      code: grpcStatuses[error.numbers().grpc],
      message: error.message,
      details: errorDetails(error),
    });
  });

  test("when to try again is a detail of its own", () => {
    const error = new A2AError("TooManyRequests", "Slowly", { facts: { retryAfterSeconds: "7" } });
    expect(readStatusDetails(writeStatusDetails(error))?.details).toEqual(errorDetails(error));
    expect(errorDetails(error)[1]).toEqual({ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "7s" });
  });

  test("fields at fault included", () => {
    const error = invalidParams([{ path: "$.message.parts[0]", message: "is required and missing" }]);
    const { details } = readStatusDetails(writeStatusDetails(error))!;
    expect(details).toEqual(errorDetails(error));
    expect(details[1]).toMatchObject({ fieldViolations: [{ field: "message.parts[0]" }] });
  });

  test("the numbers are those of the table that is asked for", () => {
    const error = new A2AError("UnsupportedOperation", "no");
    expect(readStatusDetails(writeStatusDetails(error, "1.0.0"))?.code).toBe(grpcStatuses.UNIMPLEMENTED);
  });

  test("a detail of a type we do not know keeps its type", () => {
    // Status.details = 3; Any.type_url = 1, Any.value = 2.
    const type = new TextEncoder().encode("type.example.com/Mood");
    const any = [0x0a, type.length, ...type, 0x12, 2, 1, 2];
    expect(readStatusDetails(Uint8Array.of(0x1a, any.length, ...any))).toEqual({
      code: 0,
      message: "",
      details: [{ "@type": "type.example.com/Mood" }],
    });
  });

  test("bytes that are no status are none", () => {
    expect(readStatusDetails(Uint8Array.of(0xff, 0xff))).toBe(undefined);
  });
});
