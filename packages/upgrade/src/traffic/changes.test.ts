import type { JsonObject, Operation } from "@assay/protocol";
import { expect, test } from "vitest";
import { changesIn, fixFor, fixForClient, knownChanges, possibleChanges } from "./changes.ts";
import type { TranslatedCall, WireMessage } from "./translate.ts";

/** A call whose messages have these lines, headers and bodies. */
function call(
  request: { readonly today?: Partial<WireMessage>; readonly next?: Partial<WireMessage> },
  response: typeof request = {},
  { operation = "SendMessage", binding = "JSONRPC" }: { operation?: Operation; binding?: string } = {},
): TranslatedCall {
  const message = (more: Partial<WireMessage> = {}): WireMessage => ({ line: "", headers: [], ...more });
  return {
    call: { operation, binding },
    request: { today: message(request.today), next: message(request.next) },
    response: { today: message(response.today), next: message(response.next) },
    faults: [],
  } as unknown as TranslatedCall;
}

const params = (json: JsonObject): TranslatedCall => call({ today: { body: { params: json } } });
const part = (json: JsonObject): TranslatedCall => params({ message: { parts: [json] } });

/** Messages of a response that differ in their media type. */
const typed = (
  today: string,
  next: string,
): { readonly today: Partial<WireMessage>; readonly next: Partial<WireMessage> } => ({
  today: { line: "HTTP 200", headers: [["Content-Type", today]] },
  next: { line: "HTTP 200", headers: [["Content-Type", next]] },
});

test.each([
  ["path", call({ today: { line: "POST /v1/message:send" }, next: { line: "POST /message:send" } })],
  ["extensions-header", call({ today: { headers: [["X-A2A-Extensions", "https://a.example/e"]] } })],
  ["media-type", call({}, { next: { headers: [["Content-Type", "application/a2a+json"]] } })],
  ["error-status", call({}, { today: { line: "HTTP 409" }, next: { line: "HTTP 400" } })],
  ["error-status", call({}, { today: { line: "HTTP 200" }, next: { line: "HTTP 404" } })],
  ["json-type", call({}, typed("text/plain", "application/json"))],
  ["wrapper", call({}, { today: { body: { kind: "task", id: "t1" } }, next: { body: { task: { id: "t1" } } } })],
  ["wrapper", call({}, { today: { body: { id: "t1" } }, next: { body: { task: { id: "t1" } } } })],
  ["rpc-id", call({}, { today: { body: { id: "1" } }, next: { body: { id: 1 } } })],
  ["part-list", params({ message: { content: [{ text: "hi" }] } })],
  ["file", part({ file: { uri: "https://a.example/f" } })],
  ["file", part({ file: { bytes: "aGk=" } })],
  ["timestamp", params({ status: { timestamp: "2026-01-01T00:00:00+00:00" } })],
  ["blocking", params({ configuration: { blocking: false } })],
  ["push-in-send", params({ configuration: { pushNotificationConfig: { url: "https://a.example/" } } })],
  ["push-list", call({}, { today: { body: { result: [] } } }, { operation: "ListTaskPushNotificationConfigs" })],
  ["canceled", params({ status: { state: "TASK_STATE_CANCELLED" } })],
  [
    "error-body",
    call(
      {},
      {
        today: { line: "HTTP 404", body: { code: -32001, message: "no" } },
        next: { line: "HTTP 404", body: { error: { code: 404, status: "NOT_FOUND", message: "no" } } },
      },
      { binding: "HTTP+JSON" },
    ),
  ],
  [
    "push-ids",
    call(
      { today: { body: { params: { id: "t1" } } }, next: { body: { params: { taskId: "t1" } } } },
      {},
      { operation: "ListTaskPushNotificationConfigs" },
    ),
  ],
  [
    "push-deleted",
    call(
      {},
      { today: { body: { id: 1, result: null } }, next: { body: { id: 1, result: {} } } },
      { operation: "DeleteTaskPushNotificationConfig" },
    ),
  ],
  ["message-id", params({ message: { role: "user", parts: [] } })],
] as const)("%s is found", (id, translated) => {
  expect(changesIn(translated).map((change) => change.id)).toContain(id);
});

test.each([
  ["path", call({ today: { line: "POST /a" }, next: { line: "POST /a" } })],
  [
    "media-type",
    call(
      {},
      {
        today: { headers: [["Content-Type", "application/a2a+json"]] },
        next: { headers: [["Content-Type", "application/a2a+json"]] },
      },
    ),
  ],
  ["error-status", call({}, { today: { line: "HTTP 404" }, next: { line: "HTTP 404" } })],
  ["json-type", call({}, typed("application/json", "application/json"))],
  ["wrapper", call({}, { today: { body: { task: { content: [] } } }, next: { body: { task: { parts: [] } } } })],
  ["json-type", call({}, typed("application/problem+json", "application/json"), { binding: "HTTP+JSON" })],
  ["json-type", call({}, typed("text/event-stream", "text/event-stream"))],
  ["rpc-id", call({}, { today: { body: { id: "1" } }, next: { body: { id: "1" } } })],
  // 1.0 prefers milliseconds, and allows any number of decimals.
  ["timestamp", params({ status: { timestamp: "2026-01-01T00:00:00Z" } })],
  ["timestamp", params({ status: { timestamp: "2026-01-01T00:00:00.629800373Z" } })],
  ["part-list", params({ message: { content: "hi" } })],
  ["file", params({ file: { uri: "https://a.example/f" } })],
  ["timestamp", params({ status: { timestamp: "2026-01-01T00:00:00.000Z" } })],
  ["blocking", params({ metadata: { blocking: true } })],
  ["push-in-send", params({ pushNotificationConfig: { url: "https://a.example/" } })],
  ["push-list", call({}, { today: { body: { result: [] } } }, { operation: "ListTasks" })],
  ["media-type", call({}, typed("text/event-stream", "application/a2a+json"), { binding: "HTTP+JSON" })],
  ["message-id", params({ message: { role: "user", parts: [], messageId: "m1" } })],
] as const)("%s is not found where nothing changes", (id, translated) => {
  expect(changesIn(translated).map((change) => change.id)).not.toContain(id);
});

test("the possible changes are those of the version and its bindings, without repairs", () => {
  const ids = (...of: Parameters<typeof possibleChanges>): string[] => possibleChanges(...of).map(({ id }) => id);
  const all = expect.arrayContaining(["version-header", "error-details", "final"]);
  expect(ids("0.3", ["JSONRPC"], true)).toEqual(all);
  expect(ids("0.3", ["JSONRPC"], true)).toEqual(expect.arrayContaining(["state", "kind", "push-list"]));
  for (const id of ["path", "package", "session", "rpc-id", "json-type"])
    expect(ids("0.3", ["JSONRPC"], true)).not.toContain(id);
  expect(ids("0.3", ["HTTP+JSON"], false)).toEqual(all);
  expect(ids("0.3", ["HTTP+JSON"], false)).toEqual(expect.arrayContaining(["path", "error-body", "canceled"]));
  for (const id of ["method", "role", "push-config", "push-in-send"])
    expect(ids("0.3", ["HTTP+JSON"], false)).not.toContain(id);
  expect(ids("0.1", ["JSONRPC"], false)).toEqual(expect.arrayContaining(["session", "artifact-id"]));
  expect(ids("0.1", ["JSONRPC"], false)).not.toContain("blocking");
});

test("a change names only the bindings of the agent", () => {
  const all = fixFor("error-details", ["JSONRPC", "HTTP+JSON", "GRPC"]);
  expect(all).toMatch(/gRPC \(§10\.6.*MUST.*HTTP\+JSON \(§11\.6.*MUST.*JSON-RPC.*SHOULD/);
  expect(fixFor("error-details", ["JSONRPC"])).toMatch(/^[^.]*error\. Over JSON-RPC[^.]*SHOULD\.$/);
  expect(fixFor("final", ["HTTP+JSON"])).toMatch(/waits for input \(§11\.7\)\.$/);
  expect(fixFor("final", ["JSONRPC", "GRPC"])).toMatch(/when the task ends\.$/);
  expect(fixFor("version-header", ["GRPC"])).toContain("VersionNotSupportedError (gRPC FAILED_PRECONDITION)");
});

test.each([
  ["GetTask", "tasks/t1", "3.1.3, 3.1.5, 3.1.6"],
  ["GetTaskPushNotificationConfig", "tasks/t1/pushNotificationConfigs/p1", "4.3.1"],
] as const)("the plain ids of %s cite the section of the operation", (operation, name, section) => {
  const found = changesIn(call({ today: { body: { name } } }, {}, { operation, binding: "GRPC" }));
  expect(found.map((change) => change.section)).toEqual([section]);
});

test("every change between the versions says what a client has to do", () => {
  const versions = ["0.1", "0.2", "0.3"] as const;
  const all = versions.flatMap((version) => possibleChanges(version, ["JSONRPC", "HTTP+JSON", "GRPC"], true));
  expect(all.filter(({ id, fix }) => !fixForClient(id) || fixForClient(id) === fix)).toEqual([]);
});

test("each kind of change has an id of its own", () => {
  const ids = knownChanges.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});
