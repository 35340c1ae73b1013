import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { AgentCard, JsonObject, Message, StreamResponse, Task } from "@assay/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectedOf, testSvg } from "../fixtures/expected.fixture.ts";
import { agentMessage, anId, plain, say, unknownTask, until, useTestbed } from "../fixtures/testbed.fixture.ts";
import { pythonOf } from "./server.fixture.ts";

// The client of the official Python SDK, over every binding it has, against the test bed. Each binding has a Python
// process of its own (python/driver.py), which calls the SDK's public methods and prints what the SDK gave back.

const python = pythonOf("a2a-python");

/** Slow enough for Python, whose process may wait for a processor between two requests about one task. */
const bed = useTestbed({ timeScale: 0.5 });
const token = { serviceParameters: { Authorization: "Bearer agentbin-test-token" } };

/** Protobuf prints no milliseconds where there are none. */
const aTimestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/) as string;

interface Answer {
  readonly id: number;
  readonly result?: unknown;
  /** as the SDK raised it; code and reason are those its own tables give the class */
  readonly error?: { class: string; message: string; code?: number; reason?: string; data?: unknown };
}

interface More {
  /** another agent than /spec */
  readonly target?: string;
  readonly serviceParameters?: Readonly<Record<string, string>>;
  /** leave the stream after so many events */
  readonly take?: number;
}

/** One Python process; questions may overlap. */
class Driver {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  readonly #ended: Promise<number | null>;
  #complaints = "";
  #asked = 0;

  constructor() {
    this.#child = spawn(python!, [join(import.meta.dirname, "python/driver.py")]);
    this.#child.stderr!.setEncoding("utf8").on("data", (text: string) => {
      this.#complaints += text;
    });
    createInterface(this.#child.stdout!).on("line", (line) => {
      const answer = JSON.parse(line) as Answer;
      this.#waiting.get(answer.id)!(answer);
    });
    this.#ended = new Promise((resolve) => this.#child.on("close", resolve));
  }

  ask(question: object): Promise<Answer> {
    const id = ++this.#asked;
    this.#child.stdin!.write(`${JSON.stringify({ id, ...question })}\n`);
    const gone = this.#ended.then((code) => {
      throw new Error(`the driver ended with ${code}: ${this.#complaints}`);
    });
    return Promise.race([new Promise<Answer>((resolve) => this.#waiting.set(id, resolve)), gone]);
  }

  /** Closes the SDK's clients; returns the exit code and what Python had to complain about. */
  async close(): Promise<[code: number | null, complaints: string]> {
    this.#child.stdin!.end();
    return [await this.#ended, this.#complaints];
  }
}

describe.skipIf(!python).each(["JSONRPC", "HTTP+JSON", "GRPC"] as const)("a2a-sdk 1.3.0 over %s", (binding) => {
  let driver: Driver;
  let served: AgentCard;
  let card: AgentCard | undefined;

  beforeAll(async () => {
    driver = new Driver();
    served = JSON.parse((await plain(`${bed.url}/spec/.well-known/agent-card.json`)).text) as AgentCard;
    // The SDK finds the card by itself, except for an interface that the card does not list.
    if (served.supportedInterfaces.some(({ protocolBinding }) => protocolBinding === binding)) return;
    const grpc = { url: new URL(bed.url).host, protocolBinding: binding, protocolVersion: "1.0" };
    card = { ...served, supportedInterfaces: [...served.supportedInterfaces, grpc] };
  });
  afterAll(async () => {
    expect(await driver.close()).toEqual([0, ""]);
  });

  const ask = (op: string, params: object, more: More = {}) =>
    driver.ask({ op, target: `${bed.url}/spec`, binding, params, ...(card && { card }), ...more });

  async function given<T>(op: string, params: object, more?: More): Promise<T> {
    const { error, result } = await ask(op, params, more);
    expect(error).toBeUndefined();
    return result as T;
  }

  /** The class of the error, with the code and the reason that the SDK knows it by. */
  async function refused(op: string, params: object, more?: More) {
    const { error, result = [] } = await ask(op, params, more);
    expect([error?.message, result]).toEqual([expect.stringMatching(/\S/), []]);
    return [error!.class, error!.code, error!.reason];
  }

  const request = (text: string, { message = {}, ...more }: { message?: object; configuration?: object } = {}) => ({
    message: say(text, message),
    ...more,
  });

  async function sendForTask(...args: Parameters<typeof request>): Promise<Task> {
    const events = await given<StreamResponse[]>("send", request(...args));
    expect(events).toEqual([{ task: expect.anything() }]);
    return events[0]!.task!;
  }
  const stream = (text: string, more?: More) => given<StreamResponse[]>("stream", request(text), more);
  const getTask = (id: string, more: object = {}) => given<Task>("get", { id, ...more });

  const submitted = {
    task: expect.objectContaining({ status: { state: "TASK_STATE_SUBMITTED", timestamp: aTimestamp } }),
  };
  const { statusUpdate, artifactUpdate, lifecycleTask } = expectedOf(aTimestamp);

  test("finds the card, of the agent and of the root, and loses nothing of it", async () => {
    expect(await given("card", {})).toEqual(served);
    expect(await given("card", {}, { target: bed.url })).toEqual(served);
    expect(served.skills.map(({ id }) => id)).toEqual([
      "message-only",
      "task-lifecycle",
      "task-failure",
      "task-cancel",
      "multi-turn",
      "streaming",
      "long-running",
      "data-types",
    ]);
  });

  test("reads the extended card with the Bearer token, and only with it", async () => {
    const extended = await given<AgentCard>("extendedCard", {}, token);
    expect(extended.skills.map(({ id }) => id)).toEqual([...served.skills.map(({ id }) => id), "admin-status"]);
    const wrong = { serviceParameters: { Authorization: "Bearer wrong" } };
    for (const more of [{}, wrong]) {
      // The SDK has no class for this: what happened stands in the message only.
      const { error } = await ask("extendedCard", {}, more);
      expect(error).toEqual({
        class: "A2AClientError",
        message: expect.stringMatching(
          binding === "GRPC" ? /^gRPC Error UNAUTHENTICATED: \S/ : /^HTTP Error 401: Client error '401 Unauthorized' /,
        ),
      });
    }
  });

  test("message-only: a message and no task", async () => {
    const message = { contextId: "ctx-1" };
    expect(await given("send", request("message-only hello", { message }))).toEqual([
      { message: agentMessage("[message-only] You said: message-only hello", message) },
    ]);
    expect(await stream("message-only again")).toEqual([
      { message: agentMessage("[message-only] You said: message-only again") },
    ]);
  });

  test("task-lifecycle: completed, with its artifact; the same when read again, with and without history", async () => {
    const task = await sendForTask("task-lifecycle it");
    expect(task).toEqual(lifecycleTask(task, "task-lifecycle it"));
    const { history: _, ...withoutHistory } = task;
    expect(await getTask(task.id)).toEqual(task);
    expect(await getTask(task.id, { historyLength: 0 })).toEqual(withoutHistory);
    expect(await getTask(task.id, { historyLength: 1 })).toEqual(task);
  });

  test("task-lifecycle, streamed: the task, working, the artifact, completed", async () => {
    const events = await stream("task-lifecycle s");
    const task = events[0]!.task!;
    expect(events).toEqual([
      submitted,
      statusUpdate(task, "TASK_STATE_WORKING"),
      artifactUpdate(task, "result", [{ text: "[task-lifecycle] Processed: task-lifecycle s" }]),
      statusUpdate(task, "TASK_STATE_COMPLETED"),
    ]);
  });

  test("task-failure: failed, the agent says why, and still does when asked later", async () => {
    const task = await sendForTask("task-failure please");
    const ids = { taskId: task.id, contextId: task.contextId! };
    expect(task.status).toEqual({
      state: "TASK_STATE_FAILED",
      timestamp: aTimestamp,
      message: agentMessage("[task-failure] This task fails on purpose.", ids),
    });
    expect(await getTask(task.id)).toEqual(task);
  });

  test("task-cancel: at work at once, canceled for good, and the metadata comes back", async () => {
    const started = await sendForTask("task-cancel go", { configuration: { returnImmediately: true } });
    expect(["TASK_STATE_SUBMITTED", "TASK_STATE_WORKING"]).toContain(started.status.state);
    const metadata = { reason: "changed my mind", requestedBy: "sdk", details: { tries: [1, 2.5], last: null } };
    const canceled = await given<Task>("cancel", { id: started.id, metadata });
    const ids = { taskId: started.id, contextId: started.contextId! };
    expect([canceled.id, canceled.contextId, canceled.status, canceled.metadata]).toEqual([
      ids.taskId,
      ids.contextId,
      {
        state: "TASK_STATE_CANCELED",
        timestamp: aTimestamp,
        message: agentMessage("[task-cancel] Canceled on request.", ids),
      },
      metadata,
    ]);
    expect(await getTask(started.id)).toEqual(canceled);
  });

  test("task-cancel: a subscriber sees the task canceled", async () => {
    const contextId = `python-cancel-${binding}`;
    const following = given<StreamResponse[]>("stream", request("task-cancel go", { message: { contextId } }));
    const { tasks } = await until(
      () => given<{ tasks?: Task[] }>("list", { contextId, status: "TASK_STATE_WORKING" }),
      (list) => list.tasks?.length === 1,
    );
    await given("cancel", { id: tasks![0]!.id });
    const events = await following;
    expect(events[0]).toEqual(submitted);
    expect(events.at(-1)).toEqual(
      statusUpdate(events[0]!.task!, "TASK_STATE_CANCELED", "[task-cancel] Canceled on request."),
    );
  });

  test("multi-turn: asks, asks again, completes; task and context are kept", async () => {
    const first = await sendForTask("multi-turn start");
    const message = { taskId: first.id, contextId: first.contextId };
    const second = await sendForTask("blue", { message });
    const third = await sendForTask("and we are done", { message });
    expect([first, second, third].map(({ id, contextId, status }) => [id, contextId, status.state])).toEqual([
      [first.id, first.contextId, "TASK_STATE_INPUT_REQUIRED"],
      [first.id, first.contextId, "TASK_STATE_INPUT_REQUIRED"],
      [first.id, first.contextId, "TASK_STATE_COMPLETED"],
    ]);
    const question = '[multi-turn] Noted: blue. What next? Say "done" to finish.';
    expect(second.status.message?.parts).toEqual([{ text: question }]);
    expect(third.artifacts).toEqual([
      { artifactId: "final", name: "final", parts: [{ text: "[multi-turn] Finished after 3 messages." }] },
    ]);
    const latest = await getTask(first.id, { historyLength: 2 });
    expect(latest.history?.map(({ role, parts }: Message) => [role, parts[0]?.text])).toEqual([
      ["ROLE_AGENT", question],
      ["ROLE_USER", "and we are done"],
    ]);
  });

  test("streaming: the task, working, four chunks, completed, in this order", async () => {
    const events = await stream("streaming hi");
    const task = events[0]!.task!;
    const chunk = (n: number) => [{ text: `[streaming] Chunk ${n}: streaming hi\n` }];
    expect(events).toEqual([
      submitted,
      statusUpdate(task, "TASK_STATE_WORKING", "[streaming] Starting streamed response..."),
      artifactUpdate(task, "stream-result", chunk(1), {}),
      artifactUpdate(task, "stream-result", chunk(2), { append: true }),
      artifactUpdate(task, "stream-result", chunk(3), { append: true }),
      artifactUpdate(task, "stream-result", chunk(4), { append: true, lastChunk: true }),
      statusUpdate(task, "TASK_STATE_COMPLETED"),
    ]);
    expect((await getTask(task.id)).artifacts).toEqual([
      { artifactId: "stream-result", name: "stream-result", parts: [1, 2, 3, 4].flatMap(chunk) },
    ]);
  });

  const steps = [1, 2, 3, 4, 5].map((n) => `step-${n}`);

  test("long-running: a client can subscribe again after it left, and no event is lost or repeated", async () => {
    const seen = await stream("long-running go", { take: 3 });
    expect(seen.map((event) => Object.keys(event)[0])).toEqual(["task", "statusUpdate", "artifactUpdate"]);
    const { id } = seen[0]!.task!;
    const rest = await given<StreamResponse[]>("subscribe", { id });
    expect([rest[0]?.task?.id, rest.at(-1)?.statusUpdate?.status.state]).toEqual([id, "TASK_STATE_COMPLETED"]);
    const told = [
      ...rest[0]!.task!.artifacts!,
      ...rest.flatMap(({ artifactUpdate: update }) => (update ? [update.artifact] : [])),
    ];
    expect(told.map(({ artifactId }) => artifactId)).toEqual(steps);
    expect((await getTask(id)).artifacts).toEqual(told);
  });

  test("long-running: returns at once, and polling sees it complete", async () => {
    const started = await sendForTask("long-running go", { configuration: { returnImmediately: true } });
    expect(["TASK_STATE_SUBMITTED", "TASK_STATE_WORKING"]).toContain(started.status.state);
    const ended = await until(
      () => getTask(started.id),
      ({ status }) => status.state === "TASK_STATE_COMPLETED",
    );
    expect(ended.artifacts?.map(({ artifactId }) => artifactId)).toEqual(steps);
  });

  test("data-types: text, data, a file and a mixture, byte for byte", async () => {
    const { artifacts } = await sendForTask("data-types all");
    const data = { type: "measurement", values: [1, 2.5, -3], nested: { unit: "mm", ok: true, note: null } };
    const typed = (media: string, content: JsonObject) => expect.objectContaining({ ...content, mediaType: media });
    expect(artifacts?.map(({ name, parts }) => [name, ...parts])).toEqual([
      ["text", expect.objectContaining({ text: "[data-types] Plain text" })],
      ["data", expect.objectContaining({ data })],
      ["file", typed("image/svg+xml", { raw: testSvg, filename: "test.svg" })],
      [
        "mixed",
        expect.objectContaining({ text: "[data-types] Text beside data" }),
        expect.objectContaining({ data: { beside: "text" } }),
      ],
    ]);
  });

  test("lists the tasks of a context, page by page", async () => {
    const contextId = `python-list-${binding}`;
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) ids.push((await sendForTask("task-lifecycle x", { message: { contextId } })).id);
    type Page = { tasks: Task[]; nextPageToken?: string; pageSize: number; totalSize: number };
    const list = (more: object) => given<Page>("list", { contextId, ...more });
    const one = await list({ pageSize: 2 });
    expect([one.tasks.length, one.pageSize, one.totalSize, one.nextPageToken]).toEqual([2, 2, 3, anId]);
    const two = await list({ pageSize: 2, pageToken: one.nextPageToken });
    expect([two.tasks.length, two.pageSize, two.totalSize, two.nextPageToken]).toEqual([1, 2, 3, undefined]);
    expect([...one.tasks, ...two.tasks].map(({ id }) => id).sort()).toEqual(ids.sort());
    expect(one.tasks.map(({ artifacts }) => artifacts)).toEqual([undefined, undefined]);
    const whole = await list({
      includeArtifacts: true,
      status: "TASK_STATE_COMPLETED",
      statusTimestampAfter: "2020-01-01T00:00:00Z",
      historyLength: 0,
    });
    expect(whole.tasks.map(({ artifacts, history }) => [artifacts?.length, history])).toEqual(
      ids.map(() => [1, undefined]),
    );
    expect((await list({ status: "TASK_STATE_FAILED" })).tasks).toBeUndefined();
  });

  describe("errors arrive as the SDK's own", () => {
    const notFound = ["TaskNotFoundError", -32001, "TASK_NOT_FOUND"];
    const notCancelable = ["TaskNotCancelableError", -32002, "TASK_NOT_CANCELABLE"];
    const noPush = ["PushNotificationNotSupportedError", -32003, "PUSH_NOTIFICATION_NOT_SUPPORTED"];
    const unsupported = ["UnsupportedOperationError", -32004, "UNSUPPORTED_OPERATION"];
    const invalid = ["InvalidParamsError", -32602, "INVALID_PARAMS"];

    test.each(["get", "cancel", "subscribe"])("%s: an unknown task", async (op) => {
      expect(await refused(op, { id: unknownTask })).toEqual(notFound);
    });

    test.each(["send", "stream"])("%s: to an unknown task", async (op) => {
      expect(await refused(op, request("multi-turn x", { message: { taskId: unknownTask } }))).toEqual(notFound);
    });

    test("a finished task: cancel, send, subscribe", async () => {
      const { id } = await sendForTask("task-lifecycle x");
      const again = request("again", { message: { taskId: id } });
      expect(await refused("cancel", { id })).toEqual(notCancelable);
      expect(await refused("send", again)).toEqual(unsupported);
      expect(await refused("stream", again)).toEqual(unsupported);
      expect(await refused("subscribe", { id })).toEqual(unsupported);
    });

    test("push notifications, which /spec does not offer", async () => {
      const { id: taskId } = await sendForTask("task-lifecycle x");
      expect(await refused("push.create", { taskId, url: "http://127.0.0.1:9/hook" })).toEqual(noPush);
      expect(await refused("push.get", { taskId, id: "c" })).toEqual(noPush);
      expect(await refused("push.list", { taskId })).toEqual(noPush);
      expect(await refused("push.delete", { taskId, id: "c" })).toEqual(noPush);
    });

    test("parameters that are wrong: a forged page token, a page too large, a message without a role", async () => {
      expect(await refused("list", { pageToken: "bm8.bm8" })).toEqual(invalid);
      expect(await refused("list", { pageSize: 1000 })).toEqual(invalid);
      expect(await refused("send", { message: { messageId: "m", parts: [{ text: "x" }] } })).toEqual(invalid);
      expect(await refused("stream", { message: { messageId: "m", parts: [{ text: "x" }] } })).toEqual(invalid);
    });
  });
});
