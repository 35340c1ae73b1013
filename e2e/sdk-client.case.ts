import {
  CancelTaskRequest,
  GetTaskRequest,
  ListTasksRequest,
  Message,
  SendMessageRequest,
  StreamResponse,
  Task,
  TaskPushNotificationConfig,
} from "@a2a-js/sdk";
import type { Client } from "@a2a-js/sdk/client";
import { isJsonRpcError, isRestError } from "@a2a-js/sdk/errors";
import { isGrpcError } from "@a2a-js/sdk/errors/grpc";
import type { StreamResponse as Event, Task as JsonTask } from "@assay/protocol";
import { beforeAll, describe, expect, test } from "vitest";
import { testIf } from "./test-if.case.ts";
import { agentMessage, anId, aTimestamp, collect, say, until } from "./testbed.case.ts";

/** The client of the official JavaScript SDK, 1.3.0, connected in one of its ways; it shows everything in 1.0. */
export interface SdkClient {
  readonly title: string;
  readonly binding: "JSONRPC" | "HTTP+JSON" | "GRPC";
  readonly version: "1.0" | "0.3";
  /** To the agent that shows every pattern; `claiming` push, for the SDK asks only an agent whose card does. */
  connect(claiming?: "push"): Promise<Client>;
  /** whether that agent really has push notifications */
  readonly push: boolean;
}

export const request = (text: string, more: { message?: object; configuration?: object } = {}): SendMessageRequest =>
  SendMessageRequest.fromJSON({
    message: { ...say(text), ...more.message },
    ...(more.configuration && { configuration: more.configuration }),
  });

const printTask = (task: Task): JsonTask => Task.toJSON(task) as JsonTask;
export const printEvents = async (events: AsyncIterable<StreamResponse>): Promise<Event[]> =>
  (await collect(events)).map((event) => StreamResponse.toJSON(event) as Event);

export async function sendForTask(client: Client, ...args: Parameters<typeof request>): Promise<JsonTask> {
  const answer = await client.sendMessage(request(...args));
  expect("status" in answer).toBe(true);
  return printTask(answer as Task);
}

interface Surfaced {
  readonly name: string;
  readonly reason: string;
  /** the SDK's 0.3 layer over REST keeps no status */
  readonly code?: number;
}

/** The error as the SDK surfaces it: its class by name, its reason, and the number on the wire. */
export async function errorOf(work: Promise<unknown>): Promise<Surfaced> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (isJsonRpcError(error)) return { name: error.name, reason: error.reason, code: error.envelopeCode };
  if (isRestError(error)) return { name: error.name, reason: error.reason, code: error.statusCode };
  if (isGrpcError(error)) return { name: error.name, reason: error.reason, code: error.status };
  if (error instanceof Error && "reason" in error) return { name: error.name, reason: String(error.reason) };
  throw new Error(`no error of the protocol: ${String(error)}`);
}

/** The reason, the code over JSON-RPC, the status over HTTP+JSON, and over gRPC in 1.0 and in 0.3. */
const numbers = {
  TaskNotFound: ["TASK_NOT_FOUND", -32001, 404, 5, 5],
  TaskNotCancelable: ["TASK_NOT_CANCELABLE", -32002, 400, 9, 9],
  PushNotificationNotSupported: ["PUSH_NOTIFICATION_NOT_SUPPORTED", -32003, 400, 9, 12],
  UnsupportedOperation: ["UNSUPPORTED_OPERATION", -32004, 400, 9, 12],
  ExtensionSupportRequired: ["EXTENSION_SUPPORT_REQUIRED", -32008, 400, 9, 9],
} as const;

export function surfacedAs({ binding, version }: SdkClient, error: keyof typeof numbers): Surfaced {
  const [reason, rpc, rest, grpc, grpc03] = numbers[error];
  const name = `${error}Error`;
  if (binding === "HTTP+JSON") return version === "1.0" ? { name, reason, code: rest } : { name, reason };
  return { name, reason, code: binding === "JSONRPC" ? rpc : version === "1.0" ? grpc : grpc03 };
}

const unknownTask = "11111111-2222-4333-8444-555555555555";

/** Every pattern of the agent, and every error a client can run into, as this SDK shows them. */
export function describeSdkClient(subject: SdkClient): void {
  const { binding, version } = subject;
  const isOld = version === "0.3";

  describe.concurrent(subject.title, () => {
    let client: Client;
    beforeAll(async () => {
      client = await subject.connect();
    });
    const getTask = async (id: string, more: object = {}) =>
      printTask(await client.getTask(GetTaskRequest.fromJSON({ id, ...more })));

    const statusUpdate = (task: JsonTask, state: string, text?: string) => ({
      statusUpdate: {
        taskId: task.id,
        contextId: task.contextId,
        status: {
          state,
          timestamp: aTimestamp,
          ...(text === undefined
            ? {}
            : { message: agentMessage(text, { taskId: task.id, contextId: task.contextId! }) }),
        },
      },
    });
    const artifactUpdate = (task: JsonTask, name: string, text: string, flags: object) => ({
      artifactUpdate: {
        taskId: task.id,
        contextId: task.contextId,
        artifact: { artifactId: name, name, parts: [{ text }] },
        ...flags,
      },
    });

    test("speaks the binding and the version asked for", () => {
      expect([client.transport.protocolName, client.protocolVersion]).toEqual([binding, version]);
    });

    test("message-only: a message and no task", async () => {
      const answer = await client.sendMessage(request("message-only hello", { message: { contextId: "ctx-1" } }));
      expect(Message.toJSON(answer as Message)).toEqual(
        agentMessage("[message-only] You said: message-only hello", { contextId: "ctx-1" }),
      );
      const events = await printEvents(client.sendMessageStream(request("message-only again")));
      expect(events).toEqual([{ message: agentMessage("[message-only] You said: message-only again") }]);
    });

    test("task-lifecycle: completed, with its artifact; the same when read again, with and without history", async () => {
      const task = await sendForTask(client, "task-lifecycle it");
      expect(task).toEqual({
        id: anId,
        contextId: anId,
        status: { state: "TASK_STATE_COMPLETED", timestamp: aTimestamp },
        artifacts: [
          { artifactId: "result", name: "result", parts: [{ text: "[task-lifecycle] Processed: task-lifecycle it" }] },
        ],
        history: [
          {
            messageId: anId,
            contextId: task.contextId,
            taskId: task.id,
            role: "ROLE_USER",
            parts: [{ text: "task-lifecycle it" }],
          },
        ],
      });
      const { history: _, ...withoutHistory } = task;
      expect(await getTask(task.id)).toEqual(task);
      // To 0.3, "0" is "not said", and the agent sends what it has.
      expect(await getTask(task.id, { historyLength: 0 })).toEqual(isOld ? task : withoutHistory);
      expect(await getTask(task.id, { historyLength: 1 })).toEqual(task);
      const events = await printEvents(client.sendMessageStream(request("task-lifecycle s")));
      const streamed = events[0]!.task!;
      expect(events).toEqual([
        { task: expect.objectContaining({ status: { state: "TASK_STATE_SUBMITTED", timestamp: aTimestamp } }) },
        statusUpdate(streamed, "TASK_STATE_WORKING"),
        artifactUpdate(streamed, "result", "[task-lifecycle] Processed: task-lifecycle s", { lastChunk: true }),
        statusUpdate(streamed, "TASK_STATE_COMPLETED"),
      ]);
    });

    test("task-failure: failed, the agent says why, and still does when asked later", async () => {
      const task = await sendForTask(client, "task-failure please");
      expect(task.status).toEqual({
        state: "TASK_STATE_FAILED",
        timestamp: aTimestamp,
        message: agentMessage("[task-failure] This task fails on purpose.", {
          taskId: task.id,
          contextId: task.contextId!,
        }),
      });
      expect(await getTask(task.id)).toEqual(task);
    });

    test("task-cancel: at work at once, canceled for good, and the metadata comes back", async () => {
      const started = await sendForTask(client, "task-cancel go", { configuration: { returnImmediately: true } });
      expect(["TASK_STATE_SUBMITTED", "TASK_STATE_WORKING"]).toContain(started.status.state);
      const metadata = { reason: "changed my mind", requestedBy: "sdk" };
      const canceled = printTask(await client.cancelTask(CancelTaskRequest.fromJSON({ id: started.id, metadata })));
      expect([canceled.id, canceled.contextId, canceled.status]).toEqual([
        started.id,
        started.contextId,
        {
          state: "TASK_STATE_CANCELED",
          timestamp: aTimestamp,
          message: agentMessage("[task-cancel] Canceled on request.", {
            taskId: started.id,
            contextId: started.contextId!,
          }),
        },
      ]);
      // Over REST this SDK sends no body with a cancel, so its metadata never leaves the client
      // (RestTransport.cancelTask in 1.3.0); the protobuf of 0.3 has no place for it.
      const isCarried = binding === "JSONRPC" || (binding === "GRPC" && !isOld);
      expect(canceled.metadata).toEqual(isCarried ? metadata : undefined);
      expect(await getTask(started.id)).toEqual(canceled);
    });

    test("multi-turn: asks, asks again, completes; task and context are kept", async () => {
      const first = await sendForTask(client, "multi-turn start");
      const follow = (text: string) =>
        sendForTask(client, text, { message: { taskId: first.id, contextId: first.contextId } });
      const second = await follow("blue");
      const third = await follow("and we are done");
      expect([first, second, third].map(({ id, contextId, status }) => [id, contextId, status.state])).toEqual([
        [first.id, first.contextId, "TASK_STATE_INPUT_REQUIRED"],
        [first.id, first.contextId, "TASK_STATE_INPUT_REQUIRED"],
        [first.id, first.contextId, "TASK_STATE_COMPLETED"],
      ]);
      expect(second.status.message?.parts).toEqual([
        { text: '[multi-turn] Noted: blue. What next? Say "done" to finish.' },
      ]);
      expect(third.artifacts).toEqual([
        { artifactId: "final", name: "final", parts: [{ text: "[multi-turn] Finished after 3 messages." }] },
      ]);
      const latest = await getTask(first.id, { historyLength: 2 });
      expect(latest.history?.map(({ role, parts }) => [role, parts[0]?.text])).toEqual([
        ["ROLE_AGENT", '[multi-turn] Noted: blue. What next? Say "done" to finish.'],
        ["ROLE_USER", "and we are done"],
      ]);
    });

    test("streaming: the task, working, four chunks, completed, in this order", async () => {
      const events = await printEvents(client.sendMessageStream(request("streaming hi")));
      const task = events[0]!.task!;
      const chunk = (n: number) => `[streaming] Chunk ${n}: streaming hi\n`;
      // What the SDK translates from the protobuf of 0.3 loses `append` (FromProto.taskArtifactUpdateEvent in 1.3.0).
      const append = isOld && binding !== "JSONRPC" ? {} : { append: true };
      expect(events).toEqual([
        { task: expect.objectContaining({ status: { state: "TASK_STATE_SUBMITTED", timestamp: aTimestamp } }) },
        statusUpdate(task, "TASK_STATE_WORKING", "[streaming] Starting streamed response..."),
        artifactUpdate(task, "stream-result", chunk(1), {}),
        artifactUpdate(task, "stream-result", chunk(2), append),
        artifactUpdate(task, "stream-result", chunk(3), append),
        artifactUpdate(task, "stream-result", chunk(4), { ...append, lastChunk: true }),
        statusUpdate(task, "TASK_STATE_COMPLETED"),
      ]);
      expect((await getTask(task.id)).artifacts).toEqual([
        { artifactId: "stream-result", name: "stream-result", parts: [1, 2, 3, 4].map((n) => ({ text: chunk(n) })) },
      ]);
    });

    test("long-running: returns at once, can be followed, dropped and followed again to its end", async () => {
      const started = await sendForTask(client, "long-running go", { configuration: { returnImmediately: true } });
      expect(["TASK_STATE_SUBMITTED", "TASK_STATE_WORKING"]).toContain(started.status.state);

      const leaving = new AbortController();
      const seen: Event[] = [];
      const watch = client.resubscribeTask({ id: started.id, tenant: "" }, { signal: leaving.signal });
      for await (const event of watch) {
        seen.push(StreamResponse.toJSON(event) as Event);
        if (seen.at(-1)?.artifactUpdate) break;
      }
      leaving.abort();
      expect(seen[0]?.task?.id).toBe(started.id);
      expect(seen.at(-1)?.artifactUpdate?.artifact.artifactId).toBe("step-1");

      const rest = await printEvents(client.resubscribeTask({ id: started.id, tenant: "" }));
      const steps = [1, 2, 3, 4, 5].map((n) => `step-${n}`);
      const done = rest[0]!.task!.artifacts!.map(({ artifactId }) => artifactId);
      const told = rest.flatMap(({ artifactUpdate }) => artifactUpdate?.artifact.artifactId ?? []);
      expect([...done, ...told]).toEqual(steps);
      expect(rest.at(-1)).toEqual(statusUpdate(started, "TASK_STATE_COMPLETED", "[long-running] All steps done."));
      expect((await getTask(started.id)).status.state).toBe("TASK_STATE_COMPLETED");
    });

    test("long-running: polling sees it complete", async () => {
      const started = await sendForTask(client, "long-running go", { configuration: { returnImmediately: true } });
      const ended = await until(
        () => getTask(started.id),
        ({ status }) => status.state === "TASK_STATE_COMPLETED",
      );
      expect(ended.artifacts?.map(({ artifactId }) => artifactId)).toEqual([1, 2, 3, 4, 5].map((n) => `step-${n}`));
    });

    test("data-types: text, data, a file and a mixture, byte for byte", async () => {
      const task = (await client.sendMessage(request("data-types all"))) as Task;
      const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16"><circle cx="8" cy="8" r="7"/></svg>';
      expect(task.artifacts.map(({ name, parts }) => [name, ...parts.map(({ content }) => content)])).toEqual([
        ["text", { $case: "text", value: "[data-types] Plain text" }],
        [
          "data",
          {
            $case: "data",
            value: { type: "measurement", values: [1, 2.5, -3], nested: { unit: "mm", ok: true, note: null } },
          },
        ],
        ["file", { $case: "raw", value: Buffer.from(svg) }],
        [
          "mixed",
          { $case: "text", value: "[data-types] Text beside data" },
          { $case: "data", value: { beside: "text" } },
        ],
      ]);
      // The SDK's protobuf of 0.3 is the one of the tag, which has no names for files.
      const filename = isOld && binding !== "JSONRPC" ? "" : "test.svg";
      expect([task.artifacts[2]?.parts[0]?.filename, task.artifacts[2]?.parts[0]?.mediaType]).toEqual([
        filename,
        "image/svg+xml",
      ]);
    });

    testIf(!isOld)("lists the tasks of a context, page by page", async () => {
      const contextId = `sdk-list-${binding}`;
      const ids: string[] = [];
      for (let n = 0; n < 3; n++)
        ids.push((await sendForTask(client, "task-lifecycle x", { message: { contextId } })).id);
      const list = (more: object) => client.listTasks(ListTasksRequest.fromJSON({ contextId, ...more }));
      const one = await list({ pageSize: 2 });
      expect([one.tasks.length, one.pageSize, one.totalSize, one.nextPageToken === ""]).toEqual([2, 2, 3, false]);
      const two = await list({ pageSize: 2, pageToken: one.nextPageToken });
      expect([two.tasks.length, two.pageSize, two.totalSize, two.nextPageToken]).toEqual([1, 2, 3, ""]);
      expect([...one.tasks, ...two.tasks].map(({ id }) => id).sort()).toEqual(ids.sort());
      expect(one.tasks.flatMap(({ artifacts }) => artifacts)).toEqual([]);
      const whole = await list({ includeArtifacts: true, status: "TASK_STATE_COMPLETED", historyLength: 0 });
      expect(whole.tasks.map(({ artifacts, history }) => [artifacts.length, history.length])).toEqual([
        [1, 0],
        [1, 0],
        [1, 0],
      ]);
      const forged = ListTasksRequest.fromJSON({ pageToken: "bm8.bm8" });
      expect(await errorOf(client.listTasks(forged))).toMatchObject({
        code: { JSONRPC: -32602, "HTTP+JSON": 400, GRPC: 3 }[binding],
      });
    });

    testIf(isOld)("cannot list tasks: 0.3 has no such call, and the SDK says so without asking", async () => {
      await expect(client.listTasks(ListTasksRequest.fromJSON({}))).rejects.toThrow(/tasks\/list/);
    });

    test("reads the extended card with the Bearer token, and only with it", async () => {
      const fresh = await subject.connect();
      const serviceParameters = {
        [binding === "GRPC" ? "authorization" : "Authorization"]: "Bearer agentbin-test-token",
      };
      const card = await fresh.getAgentCard({ serviceParameters });
      expect([card.skills.length, card.skills.at(-1)?.id]).toEqual([9, "admin-status"]);
      const refused = (await subject.connect()).getAgentCard();
      // The SDK's 0.3 transport over REST knows only the errors of its own table, and 401 is none.
      if (isOld && binding === "HTTP+JSON") await expect(refused).rejects.toThrow(/401|Bearer token/);
      else {
        const code = { JSONRPC: -31401, "HTTP+JSON": 401, GRPC: 16 }[binding];
        expect(await errorOf(refused)).toMatchObject({ code });
      }
    });

    describe("errors arrive as the SDK's own", () => {
      test("an unknown task: get, cancel, subscribe, send", async () => {
        const id = unknownTask;
        for (const ask of [
          () => getTask(id),
          () => client.cancelTask(CancelTaskRequest.fromJSON({ id })),
          () => collect(client.resubscribeTask({ id, tenant: "" })),
          () => client.sendMessage(request("multi-turn x", { message: { taskId: id } })),
          () => collect(client.sendMessageStream(request("multi-turn x", { message: { taskId: id } }))),
        ]) {
          expect(await errorOf(ask())).toEqual(surfacedAs(subject, "TaskNotFound"));
        }
      });

      test("a finished task: cancel, send, subscribe", async () => {
        const { id } = await sendForTask(client, "task-lifecycle x");
        expect(await errorOf(client.cancelTask(CancelTaskRequest.fromJSON({ id })))).toEqual(
          surfacedAs(subject, "TaskNotCancelable"),
        );
        const unsupported = surfacedAs(subject, "UnsupportedOperation");
        const more = { message: { taskId: id } };
        expect(await errorOf(client.sendMessage(request("again", more)))).toEqual(unsupported);
        expect(await errorOf(collect(client.sendMessageStream(request("again", more))))).toEqual(unsupported);
        expect(await errorOf(collect(client.resubscribeTask({ id, tenant: "" })))).toEqual(unsupported);
      });

      testIf(!subject.push)("push notifications, which the agent does not offer", async () => {
        const { id } = await sendForTask(client, "task-lifecycle x");
        const believer = await subject.connect("push");
        const config = { tenant: "", taskId: id, id: "c" };
        const created = TaskPushNotificationConfig.fromJSON({ taskId: id, id: "c", url: "http://127.0.0.1:9/hook" });
        for (const ask of [
          () => believer.createTaskPushNotificationConfig(created),
          () => believer.getTaskPushNotificationConfig(config),
          () => believer.listTaskPushNotificationConfig({ tenant: "", taskId: id, pageSize: 0, pageToken: "" }),
          () => believer.deleteTaskPushNotificationConfig(config),
        ]) {
          expect(await errorOf(ask())).toEqual(surfacedAs(subject, "PushNotificationNotSupported"));
        }
      });
    });

    testIf(subject.push)("push configurations are created, read, listed and deleted", async () => {
      const { id: taskId } = await sendForTask(client, "multi-turn x");
      await pushRoundTrip(client, subject, taskId);
    });
  });
}

/** Creates, reads, lists and deletes a push configuration. */
export async function pushRoundTrip(client: Client, subject: SdkClient, taskId: string): Promise<void> {
  const given = {
    taskId,
    url: "http://127.0.0.1:9/hook",
    token: "t",
    authentication: { scheme: "Bearer", credentials: "c" },
  };
  const made = await client.createTaskPushNotificationConfig(TaskPushNotificationConfig.fromJSON(given));
  expect(TaskPushNotificationConfig.toJSON(made)).toEqual({ ...given, id: anId });
  const key = { tenant: "", taskId, id: made.id };
  // What is secret is not read again; this SDK writes what is missing as an empty text.
  const shown = { ...made, token: "", authentication: { scheme: "Bearer", credentials: "" } };
  expect(await client.getTaskPushNotificationConfig(key)).toEqual(shown);
  const listing = { tenant: "", taskId, pageSize: 0, pageToken: "" };
  expect((await client.listTaskPushNotificationConfig(listing)).configs).toEqual([shown]);
  await client.deleteTaskPushNotificationConfig(key);
  expect((await client.listTaskPushNotificationConfig(listing)).configs).toEqual([]);
  expect(await errorOf(client.getTaskPushNotificationConfig(key))).toEqual(surfacedAs(subject, "TaskNotFound"));
}
