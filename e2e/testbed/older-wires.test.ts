import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { AgentCard, JsonObject, Task } from "@assay/protocol";
import { grpcV03 } from "@assay/protocol/grpc";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type OlderWire, validateDialect } from "../../packages/protocol/src/dialects/check.ts";
import { definitionOf, objections } from "../../packages/protocol/src/dialects/definitions.fixture.ts";
import { type GrpcPeer, useGrpcPeers } from "../fixtures/grpc.fixture.ts";
import {
  type Content,
  type Mistake,
  type OlderPeer,
  overGrpc,
  overJsonRpc,
  overRest,
  refusedAs,
  refusedBy,
  type Sending,
  type TaskSeen,
  type Told,
} from "../fixtures/older.fixture.ts";
import { testIf } from "../fixtures/test-if.fixture.ts";
import {
  anId,
  ask,
  collect,
  follow,
  plain,
  say,
  sending,
  unknownTask,
  until,
  useTestbed,
} from "../fixtures/testbed.fixture.ts";

const bed = useTestbed({ timeScale: 0.15 });
const dial = useGrpcPeers();
let grpc: GrpcPeer;
beforeAll(() => {
  grpc = dial(`127.0.0.1:${bed.port}`, grpcV03);
});
const at = (path: string) => () => `${bed.url}/${path}`;

const native: OlderPeer[] = [
  overJsonRpc("0.3", at("spec03")),
  overRest(at("spec03"), "camel", "0.3 HTTP+JSON"),
  overRest(at("spec03"), "snake", "0.3 HTTP+JSON, by the names of the .proto"),
  overRest(at("spec03"), "schema", "0.3 HTTP+JSON, spelled as over JSON-RPC"),
  overGrpc(() => grpc),
  overJsonRpc("0.2", at("spec02")),
  overJsonRpc("0.1", at("spec01")),
];
const onSpec: OlderPeer[] = [
  overJsonRpc("0.3", at("spec"), "0.3 JSON-RPC on /spec"),
  overRest(at("spec"), "camel", "0.3 HTTP+JSON on /spec"),
];

/** What JSON.parse gives: anything. */
type Loose = ReturnType<typeof JSON.parse>;

const words = (text: string, more: Partial<Sending> = {}): Sending => ({ parts: [{ text }], ...more });
const agentSays = (text: string) => ({ role: "agent", parts: [{ text }] });
const userSays = (text: string) => ({ role: "user", parts: [{ text }] });

async function taskFrom(peer: OlderPeer, given: Sending): Promise<TaskSeen> {
  const told = await peer.send(given);
  expect(told.is).toBe("task");
  const { is: _, ...task } = told as Told & { is: "task" };
  return task;
}

/** A task at work: where a send cannot return at once, a stream is left after its second event. */
async function atWork(peer: OlderPeer, text: string): Promise<string> {
  if (peer.wire !== "0.1") {
    const { id, state } = await taskFrom(peer, words(text, { wait: false }));
    expect(["submitted", "working"]).toContain(state);
    return id;
  }
  const taskId = `at-work-${crypto.randomUUID()}`;
  expect((await peer.stream(words(text, { taskId }), 2)).length).toBe(2);
  return taskId;
}

describe.concurrent.each([...native, ...onSpec].map((peer) => ({ peer, name: peer.name })))("$name", ({ peer }) => {
  const isFirst = peer.wire === "0.1";
  const hasPush = !onSpec.includes(peer);
  // The card of 0.1 claims stateTransitionHistory: the agent has a word for every state, and the history keeps it.
  const stateSaid = (state: string) => (isFirst ? [agentSays(`The task is ${state}.`)] : []);
  const inWords = (state: string) => (isFirst ? { says: agentSays(`The task is ${state}.`) } : {});

  test("a message answers without a task; 0.1 has only tasks, so it is one that is done and speaks", async () => {
    const told = await peer.send(words("message-only hi", { contextId: "ctx-1" }));
    const says = agentSays("[message-only] You said: message-only hi");
    const events = await peer.stream(words("message-only hi", { contextId: "ctx-1" }));
    if (!isFirst) {
      const message = { is: "message", contextId: "ctx-1", ...says };
      expect([told, events]).toEqual([message, [message]]);
      return;
    }
    const { is: _, ...task } = told as Told & { is: "task" };
    const history = [userSays("message-only hi"), ...stateSaid("submitted")];
    expect(task).toEqual({ id: anId, contextId: "ctx-1", state: "completed", says, history });
    expect(await peer.get(task.id)).toEqual(task);
    expect(events).toEqual([
      { is: "status", state: "submitted", ...inWords("submitted"), final: false },
      { is: "status", state: "completed", says, final: true },
    ]);
  });

  test("a task completes before the answer, and is the same when it is read again", async () => {
    const task = await taskFrom(peer, words("task-lifecycle it"));
    expect(task).toEqual({
      id: anId,
      contextId: anId,
      state: "completed",
      ...inWords("completed"),
      artifacts: [{ name: "result", parts: [{ text: "[task-lifecycle] Processed: task-lifecycle it" }] }],
      history: [userSays("task-lifecycle it"), ...stateSaid("submitted"), ...stateSaid("working")],
    });
    expect(await peer.get(task.id)).toEqual(task);
  });

  test("a stream: the task, working, four chunks, and a final status", async () => {
    const events = await peer.stream(words("streaming hi"));
    const chunk = (n: number) => ({
      is: "artifact",
      name: "stream-result",
      parts: [{ text: `[streaming] Chunk ${n}: streaming hi\n` }],
      append: n > 1,
      last: n === 4,
    });
    expect(events).toEqual([
      isFirst
        ? { is: "status", state: "submitted", ...inWords("submitted"), final: false }
        : {
            is: "task",
            id: anId,
            contextId: anId,
            state: "submitted",
            history: [userSays("streaming hi")],
          },
      { is: "status", state: "working", says: agentSays("[streaming] Starting streamed response..."), final: false },
      chunk(1),
      chunk(2),
      chunk(3),
      chunk(4),
      { is: "status", state: "completed", ...inWords("completed"), final: true },
    ]);
  });

  test("several turns keep task and context, and the history has them in order", async () => {
    const one = await taskFrom(peer, words("multi-turn start"));
    const { id: taskId, contextId } = one;
    const two = await taskFrom(peer, words("blue", { taskId, contextId }));
    const three = await taskFrom(peer, words("and we are done", { taskId, contextId }));
    expect([one, two, three].map((task) => [task.id, task.contextId, task.state])).toEqual([
      [taskId, contextId, "input-required"],
      [taskId, contextId, "input-required"],
      [taskId, contextId, "completed"],
    ]);
    expect([one.says, two.says, three.artifacts]).toEqual([
      agentSays('[multi-turn] What next? Say "done" to finish.'),
      agentSays('[multi-turn] Noted: blue. What next? Say "done" to finish.'),
      [{ name: "final", parts: [{ text: "[multi-turn] Finished after 3 messages." }] }],
    ]);
    const history = [
      userSays("multi-turn start"),
      ...stateSaid("submitted"),
      agentSays('[multi-turn] What next? Say "done" to finish.'),
      userSays("blue"),
      agentSays('[multi-turn] Noted: blue. What next? Say "done" to finish.'),
      userSays("and we are done"),
      ...stateSaid("working"),
    ];
    expect((await peer.get(taskId)).history).toEqual(history);
    expect((await peer.get(taskId, 2)).history).toEqual(history.slice(-2));
    expect((await peer.get(taskId, 100)).history).toEqual(history);
    // Before 1.0 only positive numbers mean anything; 0.1 says "none" with 0 (dialects.md §6).
    expect((await peer.get(taskId, 0)).history).toEqual(isFirst ? undefined : history);
  });

  test("a stream that ends with a question says that it is final", async () => {
    const events = await peer.stream(words("multi-turn start"));
    expect(events.at(-1)).toEqual({
      is: "status",
      state: "input-required",
      says: agentSays('[multi-turn] What next? Say "done" to finish.'),
      final: true,
    });
  });

  test("a failure is told by the agent, at once and later", async () => {
    const task = await taskFrom(peer, words("task-failure please"));
    expect([task.state, task.says]).toEqual(["failed", agentSays("[task-failure] This task fails on purpose.")]);
    expect(await peer.get(task.id)).toEqual(task);
  });

  test("states that 0.1 lacks are told as the nearest it has", async () => {
    const rejected = await taskFrom(peer, words("rejected"));
    const auth = await taskFrom(peer, words("auth-required"));
    expect([rejected.state, auth.state]).toEqual(
      isFirst ? ["failed", "input-required"] : ["rejected", "auth-required"],
    );
  });

  test("a cancel ends the task; its metadata comes back where the wire can carry it", async () => {
    const id = await atWork(peer, "task-cancel go");
    const metadata = { reason: "changed my mind", requestedBy: "older" };
    const canceled = await peer.cancel(id, metadata);
    expect([canceled.id, canceled.state, canceled.says, canceled.metadata]).toEqual([
      id,
      "canceled",
      agentSays("[task-cancel] Canceled on request."),
      peer.transport === "JSONRPC" ? metadata : undefined,
    ]);
    expect(await peer.get(id)).toEqual(canceled);
  });

  test("every kind of content goes out", async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16"><circle cx="8" cy="8" r="7"/></svg>';
    const { artifacts } = await taskFrom(peer, words("data-types all"));
    expect(artifacts).toEqual([
      { name: "text", parts: [{ text: "[data-types] Plain text" }] },
      {
        name: "data",
        parts: [{ data: { type: "measurement", values: [1, 2.5, -3], nested: { unit: "mm", ok: true, note: null } } }],
      },
      {
        name: "file",
        parts: [{ bytes: Buffer.from(svg).toString("base64"), name: "test.svg", type: "image/svg+xml" }],
      },
      { name: "mixed", parts: [{ text: "[data-types] Text beside data" }, { data: { beside: "text" } }] },
    ]);
    expect((await taskFrom(peer, words("file-url"))).artifacts).toEqual([
      {
        name: "file",
        parts: [{ uri: "https://example.com/report.pdf", name: "report.pdf", type: "application/pdf" }],
      },
    ]);
  });

  test("every kind of content comes in", async () => {
    const parts: Content[] = [
      { text: "task-lifecycle x", metadata: { mimeType: "application/json", schema: { type: "array" } } },
      { data: { a: [1, -2.5, { b: null }] } },
      { bytes: "AAEC/w==", name: "b.bin", type: "application/octet-stream" },
      { uri: "https://example.com/x.png", name: "x.png", type: "image/png" },
    ];
    const { history } = await taskFrom(peer, { parts });
    expect(history?.[0]).toEqual({ role: "user", parts });
  });

  test("a task at work can be followed again, to a final status", async () => {
    const id = await atWork(peer, "long-running go");
    const events = await peer.resubscribe(id);
    const [opening] = events;
    if (isFirst) expect(opening).toMatchObject({ is: "status", final: false });
    else expect(opening).toMatchObject({ is: "task", id });
    // What was done before we came is part of the task that opens the stream.
    const done = opening?.is === "task" ? (opening.artifacts ?? []).map(({ name }) => name) : [];
    const told = events.flatMap((event) => (event.is === "artifact" ? event.name : []));
    const steps = [1, 2, 3, 4, 5].map((n) => `step-${n}`);
    expect([...done, ...told]).toEqual(isFirst ? steps.slice(-told.length) : steps);
    expect(events.at(-1)).toEqual({
      is: "status",
      state: "completed",
      says: agentSays("[long-running] All steps done."),
      final: true,
    });
    expect(events.filter((event) => event.is === "status" && event.final).length).toBe(1);
  });

  const hook = { url: "http://127.0.0.1:9/hook", token: "t", scheme: "Bearer", credentials: "c" };
  /** What is secret is not read again. */
  const shown = { url: hook.url, scheme: "Bearer" };

  testIf(hasPush)("a push configuration is set and read; with ids, several are listed and deleted", async () => {
    const { id } = await taskFrom(peer, words("multi-turn x"));
    if (isFirst) {
      expect(await peer.setHook(id, hook)).toEqual(hook);
      expect(await peer.getHook(id)).toEqual(shown);
      // One per task: the second takes the place of the first.
      const other = { url: "http://127.0.0.1:9/other" };
      expect(await peer.setHook(id, other)).toEqual(other);
      expect(await peer.getHook(id)).toEqual(other);
      expect(await refusedBy(peer.listHooks(id))).toEqual(refusedAs(peer, "MethodNotFound"));
      expect(await refusedBy(peer.deleteHook(id, "x"))).toEqual(refusedAs(peer, "MethodNotFound"));
      return;
    }
    // Without an id it is called after its task, as SDKs of the time did.
    expect(await peer.setHook(id, hook)).toEqual({ id, ...hook });
    expect(await peer.getHook(id)).toEqual({ id, ...shown });
    const second = { id: "second", url: "http://127.0.0.1:9/second" };
    expect(await peer.setHook(id, second)).toEqual(second);
    expect(await peer.getHook(id, "second")).toEqual(second);
    expect(await peer.listHooks(id)).toEqual([{ id, ...shown }, second]);
    expect(await peer.deleteHook(id, id)).toEqual(peer.transport === "JSONRPC" ? null : {});
    expect(await peer.listHooks(id)).toEqual([second]);
    expect(await refusedBy(peer.getHook(id, "nope"))).toEqual(refusedAs(peer, "TaskNotFound"));
  });

  testIf(hasPush)("a push configuration that came with a message is found where one that was set is", async () => {
    const { id } = await taskFrom(peer, words("multi-turn x", { hook }));
    expect(await peer.getHook(id)).toEqual(isFirst ? shown : { id, ...shown });
    const other = { url: "http://127.0.0.1:9/other" };
    await peer.send(words("more", { taskId: id, hook: other }));
    expect(await peer.getHook(id)).toEqual(isFirst ? other : { id, ...other });
  });

  testIf(!hasPush)("push configurations are refused where the agent has none", async () => {
    const { id } = await taskFrom(peer, words("multi-turn x"));
    const refused = refusedAs(peer, "PushNotificationNotSupported");
    expect(await refusedBy(peer.setHook(id, hook))).toEqual(refused);
    expect(await refusedBy(peer.getHook(id))).toEqual(refused);
    expect(await refusedBy(peer.listHooks(id))).toEqual(refused);
    expect(await refusedBy(peer.deleteHook(id, "x"))).toEqual(refused);
  });

  test("the extended card is shown for its token, in the dialect's own shape; older dialects have no call for it", async () => {
    if (isFirst || peer.wire === "0.2.6") {
      expect(await refusedBy(peer.extendedCard("Bearer agentbin-test-token"))).toEqual(
        refusedAs(peer, "MethodNotFound"),
      );
      return;
    }
    const card = await peer.extendedCard("Bearer agentbin-test-token");
    const skills = card["skills"] as JsonObject[];
    expect([skills.length, skills.at(-1)?.["id"]]).toEqual([9, "admin-status"]);
    for (const token of [undefined, "Bearer wrong"]) {
      expect(await refusedBy(peer.extendedCard(token))).toEqual(refusedAs(peer, "Unauthenticated"));
    }
  });

  test("an unknown task: get, cancel, resubscribe, push", async () => {
    const refused = refusedAs(peer, "TaskNotFound");
    expect(await refusedBy(peer.get(unknownTask))).toEqual(refused);
    expect(await refusedBy(peer.cancel(unknownTask))).toEqual(refused);
    expect(await refusedBy(peer.resubscribe(unknownTask))).toEqual(refused);
    if (!hasPush) return;
    expect(await refusedBy(peer.setHook(unknownTask, hook))).toEqual(refused);
    expect(await refusedBy(peer.getHook(unknownTask))).toEqual(refused);
  });

  test("a message to an unknown task is refused; in 0.1 it begins that task", async () => {
    if (isFirst) {
      const taskId = `mine-${crypto.randomUUID()}`;
      expect(await taskFrom(peer, words("task-lifecycle x", { taskId }))).toMatchObject({
        id: taskId,
        state: "completed",
      });
      return;
    }
    const refused = refusedAs(peer, "TaskNotFound");
    expect(await refusedBy(peer.send(words("x", { taskId: unknownTask })))).toEqual(refused);
    expect(await refusedBy(peer.stream(words("x", { taskId: unknownTask })))).toEqual(refused);
  });

  test("a finished task cannot be canceled or followed", async () => {
    const { id } = await taskFrom(peer, words("task-lifecycle x"));
    expect(await refusedBy(peer.cancel(id))).toEqual(refusedAs(peer, "TaskNotCancelable"));
    expect(await refusedBy(peer.resubscribe(id))).toEqual(refusedAs(peer, "UnsupportedOperation"));
  });

  test("a finished task takes no message; in 0.1 it runs again", async () => {
    const { id: taskId } = await taskFrom(peer, words("task-lifecycle x"));
    if (isFirst) {
      const again = await taskFrom(peer, words("task-lifecycle y", { taskId }));
      expect([again.id, again.state]).toEqual([taskId, "completed"]);
      expect(again.artifacts?.at(-1)?.parts).toEqual([{ text: "[task-lifecycle] Processed: task-lifecycle y" }]);
      return;
    }
    expect(await refusedBy(peer.send(words("again", { taskId })))).toEqual(refusedAs(peer, "UnsupportedOperation"));
  });

  test("an agent that breaks down says so in the codes of its version, and makes no task", async () => {
    for (const ask of [peer.send, peer.stream]) {
      const [internal, invalid] = ["internal-error", "invalid-response"].map((text) => refusedBy(ask(words(text))));
      expect(await internal).toEqual(refusedAs(peer, "Internal"));
      // The codes of 0.1 end before this one.
      expect(await invalid).toMatchObject(
        isFirst ? { code: -32603, reason: "INVALID_AGENT_RESPONSE" } : refusedAs(peer, "InvalidAgentResponse"),
      );
    }
  });

  test("a message without parts is refused, and so is a negative length of history", async () => {
    const refused = refusedAs(peer, "InvalidParams");
    expect(await refusedBy(peer.send({ parts: [] }))).toMatchObject(refused);
    const { id } = await taskFrom(peer, words("multi-turn x"));
    expect(await refusedBy(peer.get(id, -1))).toMatchObject(refused);
    expect(await refusedBy(peer.send(words("x", { historyLength: -1 })))).toMatchObject(refused);
  });

  test.each<[Mistake, Parameters<typeof refusedAs>[1]]>([
    ["unknown-method", "MethodNotFound"],
    ["bad-params", "InvalidParams"],
    ["parse-error", "Parse"],
  ])("the mistake %s is named", async (mistake, error) => {
    // Protobuf that cannot be read is a bad argument: gRPC has no JSON to fail at.
    const name = peer.transport === "GRPC" && mistake === "parse-error" ? "InvalidParams" : error;
    expect(await refusedBy(peer.mistake(mistake))).toEqual({
      ...refusedAs(peer, name),
      ...(peer.transport === "GRPC" && mistake === "bad-params" ? { fields: ["message"] } : {}),
    });
  });
});

test.each([overJsonRpc("0.3", at("echo"), "JSON-RPC"), overRest(at("echo"), "camel", "HTTP+JSON")])(
  "/echo answers 0.3 over $name",
  async (peer) => {
    const contextId = "ctx-echo";
    expect(await peer.send(words("hello", { contextId }))).toEqual({
      is: "message",
      contextId,
      ...agentSays("Echo: hello"),
    });
  },
);

test("an unknown task is told of in the words of the schemas", async () => {
  const ask = async (url: string, body?: string) =>
    JSON.parse(
      (await plain(url, body ? { method: "POST", headers: { "Content-Type": "application/json" }, body } : {})).text,
    );
  const call = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tasks/get", params: { id: unknownTask } });
  for (const path of ["spec03", "spec02", "spec01"])
    expect((await ask(at(path)(), call)).error.message).toBe("Task not found");
  expect((await ask(`${at("spec03")()}/v1/tasks/${unknownTask}`)).message).toBe("Task not found");
});

describe("a task of /spec is one task in every dialect", () => {
  const [rpc03, rest03] = onSpec as [OlderPeer, OlderPeer];
  const spec = at("spec");

  test("made in 1.0, read and canceled in 0.3", async () => {
    const { task } = await ask(spec(), "JSONRPC", "SendMessage", sending("task-lifecycle it"));
    for (const peer of [rpc03, rest03]) {
      expect(await peer.get(task!.id)).toEqual({
        id: task!.id,
        contextId: task!.contextId,
        state: "completed",
        artifacts: [{ name: "result", parts: [{ text: "[task-lifecycle] Processed: task-lifecycle it" }] }],
        history: [userSays("task-lifecycle it")],
      });
    }
    const working = await ask(
      spec(),
      "HTTP+JSON",
      "SendMessage",
      sending("task-cancel go", { returnImmediately: true }),
    );
    expect((await rpc03.cancel(working.task!.id)).state).toBe("canceled");
    expect((await ask(spec(), "JSONRPC", "GetTask", { id: working.task!.id })).status.state).toBe(
      "TASK_STATE_CANCELED",
    );
  });

  test("made in 0.3, read, listed and continued in 1.0", async () => {
    for (const peer of [rpc03, rest03]) {
      const contextId = `crossing-${peer.transport}`;
      const { id } = await taskFrom(peer, words("multi-turn start", { contextId }));
      const task: Task = await ask(spec(), "JSONRPC", "GetTask", { id });
      expect([task.contextId, task.status.state]).toEqual([contextId, "TASK_STATE_INPUT_REQUIRED"]);
      expect((await ask(spec(), "HTTP+JSON", "ListTasks", { contextId })).tasks.map((one) => one.id)).toEqual([id]);
      const done = await ask(spec(), "JSONRPC", "SendMessage", { message: say("done", { taskId: id }) });
      expect(done.task?.status.state).toBe("TASK_STATE_COMPLETED");
      expect((await peer.get(id)).state).toBe("completed");
    }
  });

  test("streamed in one dialect, followed in the other, to the same end", async () => {
    const id = await atWork(rpc03, "long-running go");
    const [old, now] = await Promise.all([
      rest03.resubscribe(id),
      collect(follow(spec(), "JSONRPC", "SubscribeToTask", { id })),
    ]);
    const step = 5;
    expect(old.flatMap((event) => (event.is === "artifact" ? event.name : [])).at(-1)).toBe(`step-${step}`);
    expect(now.flatMap(({ artifactUpdate }) => artifactUpdate?.artifact.name ?? []).at(-1)).toBe(`step-${step}`);
    expect(old.at(-1)).toMatchObject({ is: "status", state: "completed", final: true });
    expect(now.at(-1)?.statusUpdate?.status.state).toBe("TASK_STATE_COMPLETED");
  });

  test("other agents keep their tasks to themselves", async () => {
    const { id } = await taskFrom(native[0]!, words("task-lifecycle x"));
    expect(await refusedBy(rpc03.get(id))).toEqual(refusedAs(rpc03, "TaskNotFound"));
  });
});

describe("which dialect a call to /spec is in", () => {
  const post = async (method: string, params: object, headers: Record<string, string> = {}, agent = "spec") => {
    const answer = await plain(`${bed.url}/${agent}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    return JSON.parse(answer.text) as { result?: JsonObject; error?: { code: number; data: unknown } };
  };
  const message = { messageId: "m", role: "user", kind: "message", parts: [{ kind: "text", text: "message-only x" }] };

  test.each<[string, Record<string, string>]>([
    ["no version", {}],
    ["an empty one", { "A2A-Version": "" }],
    ["0.3", { "A2A-Version": "0.3" }],
    ["0.3.0", { "A2A-Version": "0.3.0" }],
  ])("a slash method with %s is 0.3", async (_name, headers) => {
    expect((await post("message/send", { message }, headers)).result?.["kind"]).toBe("message");
  });

  test("a slash method that asks for 1.0 does not exist there", async () => {
    expect((await post("message/send", { message }, { "A2A-Version": "1.0" })).error?.code).toBe(-32601);
  });

  test.each<[string, Record<string, string>]>([
    ["no version", {}],
    ["0.3", { "A2A-Version": "0.3" }],
    ["2.0", { "A2A-Version": "2.0" }],
  ])("a 1.0 method with %s is a version that is not supported", async (_name, headers) => {
    const { error } = await post("GetTask", { id: "x" }, headers);
    expect(error).toMatchObject({ code: -32009, data: [{ reason: "VERSION_NOT_SUPPORTED" }] });
  });

  test("an agent without 0.3 refuses it", async () => {
    expect((await post("message/send", { message }, {}, "minimal")).error?.code).toBe(-32009);
    const answer = await plain(`${bed.url}/minimal/v1/tasks/x`);
    expect([answer.status, JSON.parse(answer.text).error.details[0].reason]).toEqual([400, "VERSION_NOT_SUPPORTED"]);
  });

  test("/spec/v1 is 0.3 without a version, and the same as /spec with 1.0", async () => {
    const { task } = await ask(at("spec")(), "JSONRPC", "SendMessage", sending("task-lifecycle x"));
    const read = async (headers: Record<string, string>) => {
      const answer = await plain(`${bed.url}/spec/v1/tasks/${task!.id}`, { headers });
      return [answer.headers["content-type"], JSON.parse(answer.text).history[0]];
    };
    const said = { messageId: anId, contextId: task!.contextId, taskId: task!.id, role: "ROLE_USER" };
    expect(await read({})).toEqual(["application/json", { ...said, content: [{ text: "task-lifecycle x" }] }]);
    expect(await read({ "A2A-Version": "0.3" })).toEqual(await read({}));
    expect(await read({ "A2A-Version": "1.0" })).toEqual([
      "application/a2a+json",
      { ...said, parts: [{ text: "task-lifecycle x" }] },
    ]);
  });

  test("what a 1.0 client adds does not trouble an agent that speaks nothing newer than 0.3", async () => {
    const answer = await post("message/send", { message }, { "A2A-Version": "1.0" }, "spec03");
    expect(answer.result?.["kind"]).toBe("message");
    expect((await post("SendMessage", {}, { "A2A-Version": "1.0" }, "spec03")).error?.code).toBe(-32601);
  });
});

describe("cards, by the name and in the shape of their time", () => {
  const fetchCard = async (path: string) => {
    const { status, text, headers } = await plain(`${bed.url}/${path}`);
    return { status, headers, card: JSON.parse(text) as JsonObject };
  };

  test.each<[agent: string, wire: OlderWire, protocolVersion: string | undefined, names: string[], not: string[]]>([
    ["spec03", "0.3", "0.3.0", ["agent-card.json"], ["agent.json"]],
    ["spec02", "0.2.6", "0.2.6", ["agent.json", "agent-card.json"], []],
    ["spec01", "0.1", undefined, ["agent.json"], ["agent-card.json"]],
  ])("/%s has one of %s", async (agent, wire, protocolVersion, names, not) => {
    for (const name of names) {
      const { status, headers, card } = await fetchCard(`${agent}/.well-known/${name}`);
      expect([status, headers["content-type"]]).toEqual([200, "application/json"]);
      expect(validateDialect(wire, "AgentCard", card)).toEqual([]);
      expect([card["url"], card["protocolVersion"], card["supportedInterfaces"]]).toEqual([
        `${bed.url}/${agent}`,
        protocolVersion,
        undefined,
      ]);
      expect((card["skills"] as unknown[]).length).toBe(8);
      expect(card["capabilities"]).toMatchObject({ streaming: true, pushNotifications: true });
    }
    for (const name of not) expect((await fetchCard(`${agent}/.well-known/${name}`)).status).toBe(404);
  });

  test("0.3 repeats its main address among all its interfaces, and offers the extended card", async () => {
    const { card } = await fetchCard("spec03/.well-known/agent-card.json");
    const url = `${bed.url}/spec03`;
    expect([
      card["preferredTransport"],
      card["additionalInterfaces"],
      card["supportsAuthenticatedExtendedCard"],
    ]).toEqual([
      "JSONRPC",
      [
        { url, transport: "JSONRPC" },
        { url, transport: "HTTP+JSON" },
        { url: `127.0.0.1:${bed.port}`, transport: "GRPC" },
      ],
      true,
    ]);
  });

  test("/spec declares its 0.3 interfaces beside those of 1.0", async () => {
    const { card } = await fetchCard("spec/.well-known/agent-card.json");
    const url = `${bed.url}/spec`;
    expect((card as unknown as AgentCard).supportedInterfaces).toEqual([
      { url, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
      { url, protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
      { url: `127.0.0.1:${bed.port}`, protocolBinding: "GRPC", protocolVersion: "1.0" },
      { url, protocolBinding: "JSONRPC", protocolVersion: "0.3" },
      { url, protocolBinding: "HTTP+JSON", protocolVersion: "0.3" },
    ]);
  });
});

describe("webhooks are told in the dialect that registered them", () => {
  interface Posted {
    readonly headers: Record<string, unknown>;
    readonly body: JsonObject;
  }
  async function receiver(): Promise<{ url: string; posted: Posted[] }> {
    const posted: Posted[] = [];
    const server = createServer(async (request, response) => {
      let text = "";
      for await (const chunk of request.setEncoding("utf8")) text += chunk;
      posted.push({ headers: request.headers, body: JSON.parse(text) as JsonObject });
      response.writeHead(204).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, posted };
  }

  // Before 1.0 it is the bare task that is posted; only 1.0 wraps events (dialects.md §3.8). The push service of
  // packages/agents does not know in which dialect a configuration came, and posts what 1.0 posts.
  test.each(native.map((peer) => ({ peer, name: peer.name })))("$name", async ({ peer }) => {
    const { url, posted } = await receiver();
    await peer.send(words("task-lifecycle x", { hook: { url, token: "secret" } }));
    await until(
      async () => posted,
      (all) => JSON.stringify(all.at(-1)?.body ?? "").match(/completed/i) !== null,
    );
    expect(posted.map(({ headers }) => headers["x-a2a-notification-token"])).toEqual(posted.map(() => "secret"));
    const definition = definitionOf(peer.wire === "0.3-proto" ? "0.3" : peer.wire, "GetTask", "answer")!;
    for (const { body } of posted) {
      expect(objections(peer.wire === "0.3-proto" ? "0.3" : peer.wire, definition, body)).toEqual([]);
    }
  });
});

// The first page about A2A shows 25 payloads, many against its own schema. Twelve are requests, and /spec01 has to
// take every one of them (dialects.md §13); they are told here in our own words. The twelve answers and the card are
// for readers, and packages/protocol reads them (dialects/v0.1/seed.test.ts).
describe("0.1: the requests of the first page", () => {
  const post = async (json: unknown, path = "spec01") => {
    const answer = await plain(`${bed.url}/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(json),
    });
    return { type: answer.headers["content-type"], text: answer.text };
  };
  const call = async (method: string, params: JsonObject, id: number | string = 1): Promise<Loose> => {
    const { type, text } = await post({ jsonrpc: "2.0", id, method, params });
    expect(type).toBe("application/json");
    const json = JSON.parse(text) as JsonObject;
    expect([json["jsonrpc"], json["id"]]).toEqual(["2.0", id]);
    if (json["result"])
      expect(
        objections("0.1", method.includes("push") ? "TaskPushNotificationConfig" : "Task", json["result"]),
      ).toEqual([]);
    return json;
  };
  const events = ({ type, text }: { type: string | undefined; text: string }): Loose[] => {
    expect(type).toBe("text/event-stream");
    const all = text
      .split("\n\n")
      .filter((block) => block.startsWith("data: "))
      .map((block) => JSON.parse(block.slice(6)) as JsonObject);
    for (const { result } of all) expect(objections("0.1", "StreamResult", result!)).toEqual([]);
    return all;
  };
  const text = (words: string, more: JsonObject = {}) => ({
    role: "user",
    parts: [{ type: "text", text: words, ...more }],
  });
  const fresh = () => `page-${crypto.randomUUID()}`;

  test("send: with empty metadata, without a session; the answer has one", async () => {
    const id = fresh();
    const { result } = await call("tasks/send", { id, message: text("task-lifecycle tides"), metadata: {} });
    expect(result).toMatchObject({ id, sessionId: anId, status: { state: "completed" } });
    expect(result.artifacts).toEqual([
      { index: 0, name: "result", parts: [{ type: "text", text: "[task-lifecycle] Processed: task-lifecycle tides" }] },
    ]);
  });

  test("get: with a length of history, and without one", async () => {
    const id = fresh();
    await call("tasks/send", { id, message: text("task-lifecycle tides") });
    const { result } = await call("tasks/get", { id, historyLength: 10, metadata: {} });
    expect([result.id, result.history[0]]).toEqual([id, text("task-lifecycle tides")]);
    expect((await call("tasks/get", { id, metadata: {} }, 10)).result.id).toBe(id);
  });

  test("cancel: under the id that the client chose", async () => {
    const id = fresh();
    const stream = post({
      jsonrpc: "2.0",
      id: 1,
      method: "tasks/sendSubscribe",
      params: { id, message: text("task-cancel go") },
    });
    await until(
      () => call("tasks/get", { id }),
      ({ result }) => result?.status.state === "working",
    );
    const { result } = await call("tasks/cancel", { id, metadata: {} });
    expect([result.id, result.status.state]).toEqual([id, "canceled"]);
    expect(events(await stream).at(-1).result).toMatchObject({ id, status: { state: "canceled" }, final: true });
  });

  test("push set and get: with a list of schemes and nothing else", async () => {
    const id = fresh();
    await call("tasks/send", { id, message: text("multi-turn x") });
    const config = {
      id,
      pushNotificationConfig: { url: "http://127.0.0.1:9/t", authentication: { schemes: ["jwt"] } },
    };
    expect((await call("tasks/pushNotification/set", config)).result).toEqual(config);
    expect((await call("tasks/pushNotification/get", { id })).result).toEqual(config);
  });

  test("two turns: the second with the session that the first was given", async () => {
    const id = fresh();
    const one = await call("tasks/send", { id, message: text("multi-turn a chart, please"), metadata: {} });
    const { sessionId } = one.result;
    expect(one.result.status.state).toBe("input-required");
    const two = await call("tasks/send", { id, sessionId, message: text("Whitby, then done"), metadata: {} }, 2);
    expect([two.result.id, two.result.sessionId, two.result.status.state]).toEqual([id, sessionId, "completed"]);
  });

  test.each(["spec01", "spec01/subscribe"])(
    "stream: without jsonrpc and id, with a file under data, at /%s; every event has the id null",
    async (path) => {
      const id = fresh();
      const message = {
        role: "user",
        parts: [
          { type: "text", text: "streaming what is this?" },
          { type: "file", file: { mimeType: "image/png", data: "aGVpZ2h0Cg==" } },
        ],
      };
      const params = { id, sessionId: "session-20b4", message, metadata: {} };
      const all = events(await post({ method: "tasks/sendSubscribe", params }, path));
      expect(all.map((event) => [event.jsonrpc, event.id, event.result.id])).toEqual(all.map(() => ["2.0", null, id]));
      expect(all.at(-1).result).toMatchObject({ status: { state: "completed" }, final: true });
      const { result } = await call("tasks/get", { id });
      expect([result.sessionId, result.history[0].parts[1]]).toEqual([
        "session-20b4",
        { type: "file", file: { mimeType: "image/png", bytes: "aGVpZ2h0Cg==" } },
      ]);
    },
  );

  test("resubscribe: without jsonrpc and id", async () => {
    const id = fresh();
    const begun = post({ method: "tasks/sendSubscribe", params: { id, message: text("long-running go") } });
    await until(
      () => call("tasks/get", { id }),
      ({ result }) => result?.status.state === "working",
    );
    const all = events(await post({ method: "tasks/resubscribe", params: { id, metadata: {} } }));
    expect(all.map((event) => event.id)).toEqual(all.map(() => null));
    expect(all.at(-1).result).toMatchObject({ id, status: { state: "completed" }, final: true });
    // Each of the five artifacts has an index of its own, the same on both streams.
    const indexes = (list: Loose[]) => list.flatMap(({ result }) => (result.artifact ? [result.artifact.index] : []));
    const whole = [0, 1, 2, 3, 4];
    expect(indexes(events(await begun))).toEqual(whole);
    // Whoever comes late on a busy machine misses the first of them.
    expect(indexes(all)).toEqual(whole.slice(-indexes(all).length));
  });

  test("a file under data that is no base64 is taken for its content", async () => {
    const id = fresh();
    const message = {
      role: "user",
      parts: [
        { type: "text", text: "task-lifecycle read this" },
        { type: "file", file: { mimeType: "application/octet-stream", data: "<the report>" } },
      ],
    };
    await call("tasks/send", { id, sessionId: "s", message, metadata: {} }, 9);
    const { result } = await call("tasks/get", { id });
    expect(Buffer.from(result.history[0].parts[1].file.bytes, "base64").toString()).toBe("<the report>");
  });

  test("structured output asked for in a part's metadata is passed on untouched", async () => {
    const id = fresh();
    const metadata = { mimeType: "application/json", schema: { type: "array", items: { type: "object" } } };
    await call(
      "tasks/send",
      { id, sessionId: "s", message: text("task-lifecycle ports", { metadata }), metadata: {} },
      9,
    );
    expect((await call("tasks/get", { id })).result.history[0]).toEqual(text("task-lifecycle ports", { metadata }));
  });

  test("the same id again, after it was completed: no duplicate, but another run", async () => {
    const id = fresh();
    const one = await call("tasks/send", { id, message: text("task-lifecycle one") });
    const two = await call("tasks/send", { id, message: text("task-lifecycle two") }, 2);
    expect([one.result.status.state, two.result.status.state, two.result.id]).toEqual(["completed", "completed", id]);
    expect(two.result.sessionId).toBe(one.result.sessionId);
    expect(two.result.artifacts.at(-1).parts).toEqual([
      { type: "text", text: "[task-lifecycle] Processed: task-lifecycle two" },
    ]);
  });

  test.each<[string, (id: string) => JsonObject]>([
    [
      "null for what is not given",
      (id) => ({ id, sessionId: null, message: text("task-lifecycle x"), metadata: null }),
    ],
    ["a message without role", (id) => ({ id, message: { parts: [{ type: "text", text: "task-lifecycle x" }] } })],
    ["a part without type", (id) => ({ id, message: { role: "user", parts: [{ text: "task-lifecycle x" }] } })],
    [
      "a part with a later dialect's kind",
      (id) => ({ id, message: { role: "user", parts: [{ kind: "text", text: "task-lifecycle x" }] } }),
    ],
  ])("beyond the page: %s", async (_name, params) => {
    const id = fresh();
    const { result } = await call("tasks/send", params(id));
    expect([result.id, result.status.state]).toEqual([id, "completed"]);
    expect((await call("tasks/get", { id })).result.history[0]).toEqual(text("task-lifecycle x"));
  });

  test("a number as task id is read as its digits", async () => {
    const id = 4_000_000 + Math.floor(Math.random() * 1_000_000);
    const { result } = await call("tasks/send", { id, message: text("task-lifecycle x") } as never);
    expect(result.id).toBe(String(id));
  });

  test("methods of later dialects are not known", async () => {
    for (const method of [
      "message/send",
      "message/stream",
      "SendMessage",
      "tasks/list",
      "agent/getAuthenticatedExtendedCard",
    ]) {
      expect([method, (await call(method, {})).error.code]).toEqual([method, -32601]);
    }
  });
});
