import {
  AgentCard,
  CancelTaskRequest,
  GetTaskRequest,
  ListTasksRequest,
  Message,
  SendMessageRequest,
  StreamResponse,
  Task,
  TaskPushNotificationConfig,
  verifyAgentCardSignature,
} from "@a2a-js/sdk";
import {
  type Client,
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  ServiceParameters,
  withA2AExtensions,
} from "@a2a-js/sdk/client";
import { isJsonRpcError, isRestError } from "@a2a-js/sdk/errors";
import type { StreamResponse as Event, JsonObject, Task as JsonTask } from "@assay/protocol";
import { beforeAll, describe, expect, test } from "vitest";
import { agentMessage, anId, aTimestamp, collect, plain, say, until, useTestbed } from "./testbed.case.ts";

// The client of the official JavaScript SDK, which nobody here wrote, against the test bed: what it reads is
// compared in ProtoJSON as the SDK itself prints it.

const bed = useTestbed();
const unknownTask = "11111111-2222-4333-8444-555555555555";

const clientFor = (agent: string, binding: "JSONRPC" | "HTTP+JSON"): Promise<Client> => {
  const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, { preferredTransports: [binding] });
  return new ClientFactory(options).createFromUrl(`${bed.url}/${agent}/`);
};

const request = (text: string, more: { message?: object; configuration?: object } = {}): SendMessageRequest =>
  SendMessageRequest.fromJSON({
    message: { ...say(text), ...more.message },
    ...(more.configuration && { configuration: more.configuration }),
  });

const printTask = (task: Task): JsonTask => Task.toJSON(task) as JsonTask;
const printEvents = async (events: AsyncIterable<StreamResponse>): Promise<Event[]> =>
  (await collect(events)).map((event) => StreamResponse.toJSON(event) as Event);

async function sendForTask(client: Client, ...args: Parameters<typeof request>): Promise<JsonTask> {
  const answer = await client.sendMessage(request(...args));
  expect("status" in answer).toBe(true);
  return printTask(answer as Task);
}

/** The error as the SDK surfaces it: its class by name, its reason, and the number on the wire. */
async function errorOf(work: Promise<unknown>) {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (isJsonRpcError(error)) return { name: error.name, reason: error.reason, code: error.envelopeCode };
  if (isRestError(error)) return { name: error.name, reason: error.reason, code: error.statusCode };
  throw new Error(`no error of the protocol: ${String(error)}`);
}

describe.each(["JSONRPC", "HTTP+JSON"] as const)("@a2a-js/sdk 1.3.0 over %s", (binding) => {
  const isRpc = binding === "JSONRPC";
  let client: Client;
  beforeAll(async () => {
    client = await clientFor("spec", binding);
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
        ...(text === undefined ? {} : { message: agentMessage(text, { taskId: task.id, contextId: task.contextId! }) }),
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

  test("finds the card and chooses the binding asked for", async () => {
    expect([client.transport.protocolName, client.protocolVersion]).toEqual([binding, "1.0"]);
    const card = await new DefaultAgentCardResolver().resolve(`${bed.url}/spec/`);
    const served = JSON.parse((await plain(`${bed.url}/spec/.well-known/agent-card.json`)).text) as JsonObject;
    expect(AgentCard.toJSON(card)).toEqual(served);
    expect(card.skills.map(({ id }) => id)).toEqual([
      "message-only",
      "task-lifecycle",
      "task-failure",
      "task-cancel",
      "multi-turn",
      "streaming",
      "long-running",
      "data-types",
    ]);
    expect([card.name, card.capabilities?.streaming, card.capabilities?.pushNotifications]).toEqual([
      "Spec Agent",
      true,
      false,
    ]);
    const root = await new DefaultAgentCardResolver().resolve(bed.url);
    expect(root).toEqual(card);
  });

  test("reads the extended card with the Bearer token, and only with it", async () => {
    const fresh = await clientFor("spec", binding);
    const card = await fresh.getAgentCard({ serviceParameters: { Authorization: "Bearer agentbin-test-token" } });
    expect([card.skills.length, card.skills.at(-1)?.id]).toEqual([9, "admin-status"]);
    const refused = await errorOf((await clientFor("spec", binding)).getAgentCard());
    expect(refused).toEqual(
      isRpc
        ? { name: "JsonRpcTransportError", reason: "INTERNAL_ERROR", code: -31401 }
        : { name: "A2AError", reason: "INTERNAL_ERROR", code: 401 },
    );
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
    expect(await getTask(task.id, { historyLength: 0 })).toEqual(withoutHistory);
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
    // (RestTransport.cancelTask in 1.3.0); our own requests in operations.test.ts show that it would come back.
    expect(canceled.metadata).toEqual(isRpc ? metadata : undefined);
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
    expect(events).toEqual([
      { task: expect.objectContaining({ status: { state: "TASK_STATE_SUBMITTED", timestamp: aTimestamp } }) },
      statusUpdate(task, "TASK_STATE_WORKING", "[streaming] Starting streamed response..."),
      artifactUpdate(task, "stream-result", chunk(1), {}),
      artifactUpdate(task, "stream-result", chunk(2), { append: true }),
      artifactUpdate(task, "stream-result", chunk(3), { append: true }),
      artifactUpdate(task, "stream-result", chunk(4), { append: true, lastChunk: true }),
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
    expect(rest[0]?.task?.artifacts?.map(({ artifactId }) => artifactId)).toEqual(["step-1"]);
    const told = rest
      .slice(1)
      .map((event) => event.artifactUpdate?.artifact.artifactId ?? event.statusUpdate?.status.state);
    const all = [2, 3, 4, 5].flatMap((n) => ["TASK_STATE_WORKING", `step-${n}`]);
    // The status that opens step 2 may have been part of what the task showed when we came back.
    expect([...all, "TASK_STATE_COMPLETED"].slice(-told.length)).toEqual(told);
    expect(told.length).toBeGreaterThanOrEqual(all.length);
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
    expect([task.artifacts[2]?.parts[0]?.filename, task.artifacts[2]?.parts[0]?.mediaType]).toEqual([
      "test.svg",
      "image/svg+xml",
    ]);
  });

  test("lists the tasks of a context, page by page", async () => {
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
  });

  describe("errors arrive as the SDK's own", () => {
    test("an unknown task: get, cancel, subscribe, send", async () => {
      const id = unknownTask;
      for (const work of [
        getTask(id),
        client.cancelTask(CancelTaskRequest.fromJSON({ id })),
        collect(client.resubscribeTask({ id, tenant: "" })),
        client.sendMessage(request("multi-turn x", { message: { taskId: id } })),
        collect(client.sendMessageStream(request("multi-turn x", { message: { taskId: id } }))),
      ]) {
        expect(await errorOf(work)).toEqual({
          name: "TaskNotFoundError",
          reason: "TASK_NOT_FOUND",
          code: isRpc ? -32001 : 404,
        });
      }
    });

    test("a finished task: cancel, send, subscribe", async () => {
      const { id } = await sendForTask(client, "task-lifecycle x");
      expect(await errorOf(client.cancelTask(CancelTaskRequest.fromJSON({ id })))).toEqual({
        name: "TaskNotCancelableError",
        reason: "TASK_NOT_CANCELABLE",
        code: isRpc ? -32002 : 400,
      });
      const unsupported = {
        name: "UnsupportedOperationError",
        reason: "UNSUPPORTED_OPERATION",
        code: isRpc ? -32004 : 400,
      };
      const more = { message: { taskId: id } };
      expect(await errorOf(client.sendMessage(request("again", more)))).toEqual(unsupported);
      expect(await errorOf(collect(client.sendMessageStream(request("again", more))))).toEqual(unsupported);
      expect(await errorOf(collect(client.resubscribeTask({ id, tenant: "" })))).toEqual(unsupported);
    });

    test("push notifications, which /spec does not offer", async () => {
      const { id } = await sendForTask(client, "task-lifecycle x");
      // The SDK believes the card and asks only an agent that claims push, so the card is made to claim it.
      const { capabilities, ...card } = await new DefaultAgentCardResolver().resolve(`${bed.url}/spec/`);
      const claiming = { ...card, capabilities: { ...capabilities!, pushNotifications: true } };
      const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, { preferredTransports: [binding] });
      const believer = await new ClientFactory(options).createFromAgentCard(claiming);
      const config = { tenant: "", taskId: id, id: "c" };
      const created = TaskPushNotificationConfig.fromJSON({ taskId: id, url: "http://127.0.0.1:9/hook" });
      for (const ask of [
        () => believer.createTaskPushNotificationConfig(created),
        () => believer.getTaskPushNotificationConfig(config),
        () => believer.listTaskPushNotificationConfig({ tenant: "", taskId: id, pageSize: 0, pageToken: "" }),
        () => believer.deleteTaskPushNotificationConfig(config),
      ]) {
        expect(await errorOf(ask())).toEqual({
          name: "PushNotificationNotSupportedError",
          reason: "PUSH_NOTIFICATION_NOT_SUPPORTED",
          code: isRpc ? -32003 : 400,
        });
      }
    });

    test("a forged page token", async () => {
      const forged = ListTasksRequest.fromJSON({ pageToken: "bm8.bm8" });
      expect(await errorOf(client.listTasks(forged))).toMatchObject({ code: isRpc ? -32602 : 400 });
    });
  });

  test("a client that streams is content with an agent that does not", async () => {
    const echo = await clientFor("echo", binding);
    const events = await printEvents(echo.sendMessageStream(request("hello")));
    expect(events).toEqual([{ message: agentMessage("Echo: hello") }]);
  });

  test("push configurations on /full are created, read, listed and deleted", async () => {
    const full = await clientFor("full", binding);
    const { id: taskId } = await sendForTask(full, "multi-turn x");
    const given = {
      taskId,
      url: "http://127.0.0.1:9/hook",
      token: "t",
      authentication: { scheme: "Bearer", credentials: "c" },
    };
    const made = await full.createTaskPushNotificationConfig(TaskPushNotificationConfig.fromJSON(given));
    expect(TaskPushNotificationConfig.toJSON(made)).toEqual({ ...given, id: anId });
    const key = { tenant: "", taskId, id: made.id };
    expect(await full.getTaskPushNotificationConfig(key)).toEqual(made);
    const listing = { tenant: "", taskId, pageSize: 0, pageToken: "" };
    expect((await full.listTaskPushNotificationConfig(listing)).configs).toEqual([made]);
    await full.deleteTaskPushNotificationConfig(key);
    expect((await full.listTaskPushNotificationConfig(listing)).configs).toEqual([]);
    expect(await errorOf(full.getTaskPushNotificationConfig(key))).toMatchObject({ code: isRpc ? -32001 : 404 });
  });

  test("/strict turns the client away until it declares the extension", async () => {
    const strict = await clientFor("strict", binding);
    expect(await errorOf(strict.sendMessage(request("message-only x")))).toEqual({
      name: "ExtensionSupportRequiredError",
      reason: "EXTENSION_SUPPORT_REQUIRED",
      code: isRpc ? -32008 : 400,
    });
    const uri = "urn:assay:extension:acknowledgement:v1";
    const serviceParameters = ServiceParameters.create(withA2AExtensions(uri));
    const answer = await strict.sendMessage(request("message-only x"), { serviceParameters });
    expect(Message.toJSON(answer as Message)).toEqual({
      ...agentMessage("[message-only] You said: message-only x"),
      extensions: [uri],
      metadata: { [uri]: { acknowledged: true } },
    });
  });
});

test("@a2a-js/sdk 1.3.0 verifies the signature of /full's card with the key behind its jku", async () => {
  // Given a card it has decoded itself, this SDK drops the security schemes before it computes the payload
  // (canonicalizeAgentCard reads its own model as if it were JSON), so it is given the card as served.
  const card = JSON.parse((await plain(`${bed.url}/full/.well-known/agent-card.json`)).text) as AgentCard;
  const asked: (string | undefined)[] = [];
  const verify = verifyAgentCardSignature(async (kid, jku) => {
    asked.push(jku);
    const { keys } = JSON.parse((await plain(jku!)).text) as { keys: { kid: string }[] };
    return keys.find((key) => key.kid === kid) as never;
  });
  await verify(card);
  expect(asked).toEqual([`${bed.url}/.well-known/jwks.json`]);
});
