import { errorsCalled } from "@assay/library/explain";
import { describe, expect, test } from "vitest";
import { paperScreen } from "../screen.fixture.ts";
import { errorLines } from "./explain-error.ts";

const called = (given: string): string[] => errorsCalled(given).map(({ name }) => name);

test.each([
  ["-32001", ["TaskNotFound"]],
  ["HTTP 409", ["TaskNotCancelable"]],
  ["415", ["ContentTypeNotSupported"]],
  ["TaskNotFoundError", ["TaskNotFound"]],
  ["task_not_found", ["TaskNotFound"]],
  ["UNAUTHENTICATED", ["Unauthenticated"]],
  ["gRPC 16", ["Unauthenticated"]],
  ["-31401", ["Unauthenticated"]],
  ["JSONParseError", ["Parse"]],
  ["OperationNotSupportedError", ["UnsupportedOperation"]],
  ["-32006", ["InvalidAgentResponse", "StreamingNotSupported"]],
  ["-32010", ["RateLimitExceeded"]],
  ["-32042", []],
  ["200", []],
])("%s stands for %j", (given, names) => {
  expect(called(given)).toEqual(names);
});

describe("is told in the words of each version", () => {
  const lines = (given: string): string[] =>
    errorsCalled(given).flatMap((error) => errorLines(error, 200, paperScreen({ isTerminal: false }).colors));

  test("with the names and numbers of then", () => {
    expect(lines("-32007")).toMatchInlineSnapshot(`
      [
        "ExtendedAgentCardNotConfiguredError",
        "Means     The agent declares an extended card but has none.",
        "A2A 1.0   JSON-RPC -32007 · HTTP 400 · gRPC FAILED_PRECONDITION · reason EXTENDED_AGENT_CARD_NOT_CONFIGURED",
        "A2A 0.3   called AuthenticatedExtendedCardNotConfiguredError · JSON-RPC -32007 · HTTP 404 or 400 · gRPC",
        "          FAILED_PRECONDITION",
        "A2A 0.2   has no such error; the closest is UnsupportedOperationError (-32004)",
        "A2A 0.1   has no such error; the closest is UnsupportedOperationError (-32004)",
        "Note      before 1.0 the specification names no HTTP or gRPC status; the SDKs use these",
        "Rules     XCARD-002, ERR-026",
        "AuthenticationRequiredError",
        "Means     Credentials are missing or invalid.",
        "A2A 0.1   JSON-RPC -32007",
      ]
    `);
  });

  test("and without a code where the protocol has none", () => {
    expect(lines("401")).toMatchInlineSnapshot(`
      [
        "Unauthenticated",
        "Means     Credentials are missing or invalid.",
        "A2A 1.0   HTTP 401 · gRPC UNAUTHENTICATED",
        "A2A 0.3   HTTP 401 · gRPC UNAUTHENTICATED",
        "A2A 0.2   HTTP 401 · gRPC UNAUTHENTICATED",
        "A2A 0.1   HTTP 401",
        "Note      the specification has no JSON-RPC code for it; the Go SDK and the test bed use -31401",
      ]
    `);
  });
});
