import { randomUUID } from "node:crypto";
import type { JsonObject, JsonValue, Operation } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { type OlderWire, validateDialect } from "../../packages/protocol/src/dialects/check.ts";
import { definitionOf } from "../../packages/protocol/src/dialects/definitions.fixture.ts";
import { plain, useTestbed } from "../fixtures/testbed.fixture.ts";
import {
  expectSurvival,
  type FuzzRequest,
  isRefusedHttp,
  patience,
  requestsOn,
  restProblem,
  rpcProblem,
  showHttp,
  useHttpSender,
} from "./fuzz.fixture.ts";
import { mutateBody, mutateHeaders, mutatePath, mutateQuery, type SeededRandom, verbs } from "./mutations.fixture.ts";

const bed = useTestbed({ maxTasks: 2_000 });
const send = useHttpSender(bed);

/** Methods of JSON-RPC before 1.0, with their operations and valid parameters. */
type Calls = readonly (readonly [method: string, operation: Operation, params: JsonObject | undefined])[];

const url = "http://127.0.0.1:9/hook";

const tagged = (taskId: string, waitingId: string): Calls => {
  const message = {
    kind: "message",
    messageId: "m",
    role: "user",
    parts: [{ kind: "text", text: "task-lifecycle x" }],
  };
  const rich = [
    { kind: "text", text: "message-only x", metadata: { a: 1 } },
    { kind: "data", data: { a: [1, null] } },
    { kind: "file", file: { bytes: "AAEC", name: "n", mimeType: "image/png" } },
    { kind: "file", file: { uri: "https://example.com/x" } },
  ];
  const configuration = { acceptedOutputModes: ["text/plain"], blocking: true, historyLength: 2 };
  return [
    ["message/send", "SendMessage", { message, configuration, metadata: { a: { b: 1 } } }],
    ["message/send", "SendMessage", { message: { ...message, parts: rich } }],
    ["message/send", "SendMessage", { message: { ...message, taskId: waitingId }, configuration: { blocking: false } }],
    ["message/stream", "SendStreamingMessage", { message, configuration }],
    ["tasks/get", "GetTask", { id: taskId, historyLength: 3 }],
    ["tasks/cancel", "CancelTask", { id: taskId, metadata: { reason: "fuzz" } }],
    ["tasks/resubscribe", "SubscribeToTask", { id: waitingId }],
    [
      "tasks/pushNotificationConfig/set",
      "CreateTaskPushNotificationConfig",
      { taskId, pushNotificationConfig: { id: "c", url, token: "t", authentication: { schemes: ["Bearer"] } } },
    ],
    [
      "tasks/pushNotificationConfig/get",
      "GetTaskPushNotificationConfig",
      { id: taskId, pushNotificationConfigId: "c" },
    ],
    ["tasks/pushNotificationConfig/list", "ListTaskPushNotificationConfigs", { id: taskId }],
    [
      "tasks/pushNotificationConfig/delete",
      "DeleteTaskPushNotificationConfig",
      { id: taskId, pushNotificationConfigId: "d" },
    ],
    ["agent/getAuthenticatedExtendedCard", "GetExtendedAgentCard", undefined],
  ];
};

const first = (taskId: string, waitingId: string): Calls => {
  const message = { role: "user", parts: [{ type: "text", text: "task-lifecycle x" }] };
  const rich = [
    { type: "text", text: "message-only x", metadata: { schema: {} } },
    { type: "data", data: { a: [1, null] } },
    { type: "file", file: { mimeType: "image/png", data: "AAEC" } },
    { type: "file", file: { uri: "https://example.com/x", name: "n" } },
  ];
  const authentication = { schemes: ["jwt"] };
  return [
    ["tasks/send", "SendMessage", { id: "fuzz-1", sessionId: "s", message, historyLength: 2, metadata: {} }],
    ["tasks/send", "SendMessage", { id: "fuzz-2", message: { role: "user", parts: rich } }],
    ["tasks/send", "SendMessage", { id: waitingId, message, pushNotification: { url, token: "t", authentication } }],
    ["tasks/sendSubscribe", "SendStreamingMessage", { id: "fuzz-3", message, metadata: { a: 1 } }],
    ["tasks/get", "GetTask", { id: taskId, historyLength: 3, metadata: {} }],
    ["tasks/cancel", "CancelTask", { id: taskId, metadata: { reason: "fuzz" } }],
    ["tasks/resubscribe", "SubscribeToTask", { id: waitingId, historyLength: 1 }],
    [
      "tasks/pushNotification/set",
      "CreateTaskPushNotificationConfig",
      { id: taskId, pushNotificationConfig: { url, authentication } },
    ],
    ["tasks/pushNotification/get", "GetTaskPushNotificationConfig", { id: taskId }],
  ];
};

/** Creates a completed task, and one in INPUT_REQUIRED. */
async function tasksOf(agent: string, calls: typeof tagged): Promise<[string, string]> {
  const [send] = calls("", "");
  const ids = await Promise.all(
    ["task-lifecycle x", "multi-turn x"].map(async (text) => {
      const params = JSON.parse(JSON.stringify(send![2]).replaceAll("task-lifecycle x", text)) as JsonObject;
      if ("id" in params) params["id"] = `fuzz-${randomUUID()}`;
      const answer = await plain(`${bed.url}/${agent}`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: send![0], params }),
      });
      return (JSON.parse(answer.text) as { result: { id: string } }).result.id;
    }),
  );
  return ids as [string, string];
}

const headers = { "Content-Type": "application/json" };

describe.each<[dialect: "0.3" | "0.2" | "0.1", agent: string, wire: OlderWire, calls: typeof tagged]>([
  ["0.3", "spec03", "0.3", tagged],
  ["0.2", "spec02", "0.2.6", tagged],
  ["0.1", "spec01", "0.1", first],
])("JSON-RPC %s", (dialect, agent, wire, calls) => {
  const malformed = requestsOn(`JSON-RPC ${dialect}`);
  test(
    `survives ${malformed} malformed requests with proper answers`,
    async () => {
      const operationOf = new Map(calls("", "").map(([method, operation]) => [method, operation]));
      const prepare = async () => {
        const targets = calls(...(await tasksOf(agent, calls)));
        return (random: SeededRandom): FuzzRequest => {
          const [method, , params] = random.pick(targets);
          const envelope = { jsonrpc: "2.0", id: random.below(1_000), method, ...(params && { params }) };
          const door = dialect === "0.1" && random.chance(10) ? "/subscribe" : random.chance(10) ? "/" : "";
          return {
            method: "POST",
            path: `/${agent}${door}`,
            headers: mutateHeaders(headers, random),
            body: mutateBody(envelope as JsonValue, random),
          };
        };
      };
      const resultProblem = (method: string, result: JsonValue) => {
        const definition = definitionOf(wire, operationOf.get(method)!, "answer");
        const [violation] = definition === undefined ? [] : validateDialect(wire, definition, result);
        return violation && `its result breaks the schema at ${violation.path}: ${violation.message}`;
      };
      await expectSurvival({
        wire: `JSON-RPC ${dialect}`,
        bed,
        malformed,
        salt: 0x2545f491 ^ Number(dialect.slice(2)),
        prepare,
        send,
        isRefused: isRefusedHttp,
        problemOf: (attempt, response) => rpcProblem(attempt, response, resultProblem),
        show: showHttp,
      });
    },
    patience,
  );
});

describe.each(["spec03", "spec"] as const)("HTTP+JSON 0.3 on /%s", (agent) => {
  const count = requestsOn(`HTTP+JSON 0.3 on /${agent}`);
  test(
    `survives ${count} malformed requests with proper answers`,
    async () => {
      const prepare = async () => {
        const [taskId, waitingId] = await tasksOf(agent, tagged);
        const content = [
          { text: "task-lifecycle x" },
          { data: { data: { a: 1 } } },
          { file: { fileWithBytes: "AAEC" } },
        ];
        const message = { messageId: "m", role: "ROLE_USER", content, metadata: { a: [null] } };
        const snake = { request: { message_id: "m", role: "ROLE_USER", content, task_id: waitingId } };
        const schema = tagged(taskId, waitingId)[0]![2]!;
        const hooks = `/v1/tasks/${taskId}/pushNotificationConfigs`;
        const config = { name: `tasks/${taskId}/pushNotificationConfigs/c`, pushNotificationConfig: { id: "c", url } };
        const targets: [verb: string, path: string, body?: JsonObject][] = [
          ["POST", "/v1/message:send", { message, configuration: { blocking: true, historyLength: 1 } }],
          ["POST", "/v1/message:send", snake],
          ["POST", "/v1/message:send", schema],
          ["POST", "/v1/message:stream", { message, configuration: { acceptedOutputModes: ["text/plain"] } }],
          ["GET", `/v1/tasks/${taskId}?historyLength=2`],
          ["POST", `/v1/tasks/${taskId}:cancel`, { name: `tasks/${taskId}` }],
          ["POST", `/v1/tasks/${waitingId}:subscribe`],
          ["GET", `/v1/tasks/${waitingId}:subscribe`],
          ["POST", hooks, { parent: `tasks/${taskId}`, configId: "c", config }],
          ["POST", hooks, config],
          ["GET", `${hooks}/c`],
          ["GET", hooks],
          ["DELETE", `${hooks}/d`],
          ["GET", "/v1/card"],
        ];
        return (random: SeededRandom): FuzzRequest => {
          const [verb, path, body] = random.pick(targets);
          const [place = "", query] = `/${agent}${path}`.split("?");
          const mutated = `${mutatePath(place, random)}${mutateQuery(random) || (query ? `?${query}` : "")}`;
          const asked = random.chance(6) ? random.pick(verbs) : verb;
          const method = asked === "HEAD" && /[^!-~]/.test(mutated) ? "GET" : asked;
          const carries = body !== undefined && method !== "GET" && method !== "HEAD";
          return {
            method,
            path: mutated,
            headers: mutateHeaders(carries ? headers : {}, random),
            ...(carries && { body: mutateBody(body, random) }),
          };
        };
      };
      await expectSurvival({
        wire: `HTTP+JSON 0.3 on /${agent}`,
        bed,
        malformed: count,
        salt: agent === "spec" ? 0x1b873593 : 0x38b34ae5,
        prepare,
        send,
        isRefused: isRefusedHttp,
        problemOf: restProblem,
        show: showHttp,
      });
      expect(bed.faults).toEqual([]);
    },
    patience,
  );
});
