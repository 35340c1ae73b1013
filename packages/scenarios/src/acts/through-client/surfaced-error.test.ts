import type { PeerError } from "@assay/wire";
import { expect, test } from "vitest";
import type { SurfacedError } from "./client.ts";
import { surfacingOf } from "./surfaced-error.ts";

const wanted = { types: ["TaskNotFoundError"] };
const wire: PeerError = { message: "", http: 404, grpc: { code: 5, status: "NOT_FOUND" }, details: [] };
const error = (more: Partial<SurfacedError>): SurfacedError => ({
  kind: "protocol",
  message: "Task not found",
  ...more,
});

test.each<[string, Partial<SurfacedError>, string]>([
  ["the class of JavaScript", { type: "JsonRpcTaskNotFoundError", code: -32001 }, "told"],
  ["the class of JavaScript for HTTP+JSON", { type: "RestTaskNotFoundError" }, "told"],
  ["the class of Python", { type: "TaskNotFoundError" }, "told"],
  ["a sentinel of Go", { type: "a2a.ErrTaskNotFound" }, "told"],
  ["a value of an enum", { type: "TASK_NOT_FOUND" }, "told"],
  ["a class of Java", { type: "io.a2a.spec.TaskNotFoundException" }, "told"],
  ["the code alone", { type: "A2AError", code: -32001 }, "told"],
  ["an error of the agent, and not which", { type: "A2AError" }, "indistinct"],
  ["another error by its code", { type: "JsonRpcError", code: -32602 }, "other"],
  ["another error by its class", { type: "InvalidParamsError" }, "other"],
  ["the status of HTTP", { kind: "transport", type: "HTTPError", code: 404 }, "indistinct"],
  ["the status of gRPC", { kind: "transport", type: "AioRpcError", code: 5 }, "indistinct"],
  ["another status", { kind: "transport", type: "HTTPError", code: 400 }, "unsurfaced"],
  ["a trouble of the connection, whatever its text says", { kind: "transport" }, "unsurfaced"],
])("%s", (_, more, is) => {
  expect(surfacingOf(error(more), wanted, wire).is).toBe(is);
});
