import type { JsonObject } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { testSvg } from "../../fixtures/expected.fixture.ts";
import { testIf } from "../../fixtures/test-if.fixture.ts";
import { anId } from "../../fixtures/testbed.fixture.ts";
import { overJsonRpc } from "./json-rpc.fixture.ts";
import type { Content, Told } from "./peer.fixture.ts";
import { refusedAs, refusedBy } from "./refusals.fixture.ts";
import { overRest } from "./rest.fixture.ts";
import { agentSays, atWork, taskFrom, useOlderWires, userSays, words } from "./wires.fixture.ts";

const { at, onSpec, everyWire } = useOlderWires();

describe.concurrent.each(everyWire)("$name", ({ peer }) => {
  const isFirst = peer.wire === "0.1";
  const hasPush = !onSpec.includes(peer);
  // The card of 0.1 declares stateTransitionHistory, so every state has a message in the history.
  const stateSaid = (state: string) => (isFirst ? [agentSays(`The task is ${state}.`)] : []);
  const inWords = (state: string) => (isFirst ? { says: agentSays(`The task is ${state}.`) } : {});

  test("the agent responds with a message; in 0.1, which has only tasks, with a completed task", async () => {
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

  test("a task completes before the response, and GetTask returns the same task", async () => {
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
    // Before 1.0 only positive numbers have a meaning, except that 0 means none in 0.1 (dialects.md §6).
    expect((await peer.get(taskId, 0)).history).toEqual(isFirst ? undefined : history);
  });

  test("the last event of a stream that ends with a question is final", async () => {
    const events = await peer.stream(words("multi-turn start"));
    expect(events.at(-1)).toEqual({
      is: "status",
      state: "input-required",
      says: agentSays('[multi-turn] What next? Say "done" to finish.'),
      final: true,
    });
  });

  test("the agent reports a failure, at once and in later reads", async () => {
    const task = await taskFrom(peer, words("task-failure please"));
    expect([task.state, task.says]).toEqual(["failed", agentSays("[task-failure] This task fails on purpose.")]);
    expect(await peer.get(task.id)).toEqual(task);
  });

  test("states that 0.1 lacks are sent as the nearest state", async () => {
    const rejected = await taskFrom(peer, words("rejected"));
    const auth = await taskFrom(peer, words("auth-required"));
    expect([rejected.state, auth.state]).toEqual(
      isFirst ? ["failed", "input-required"] : ["rejected", "auth-required"],
    );
  });

  test("a cancel ends the task and returns its metadata where the binding supports that", async () => {
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
    const { artifacts } = await taskFrom(peer, words("data-types all"));
    expect(artifacts).toEqual([
      { name: "text", parts: [{ text: "[data-types] Plain text" }] },
      {
        name: "data",
        parts: [{ data: { type: "measurement", values: [1, 2.5, -3], nested: { unit: "mm", ok: true, note: null } } }],
      },
      {
        name: "file",
        parts: [{ bytes: testSvg, name: "test.svg", type: "image/svg+xml" }],
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
    // The first event is the task with everything that happened before the subscription.
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
  /** Reads do not return secrets. */
  const shown = { url: hook.url, scheme: "Bearer" };

  testIf(hasPush)("a push configuration is set and read; with ids, several are listed and deleted", async () => {
    const { id } = await taskFrom(peer, words("multi-turn x"));
    if (isFirst) {
      expect(await peer.setHook(id, hook)).toEqual(hook);
      expect(await peer.getHook(id)).toEqual(shown);
      // A task has one configuration, so the second replaces the first.
      const other = { url: "http://127.0.0.1:9/other" };
      expect(await peer.setHook(id, other)).toEqual(other);
      expect(await peer.getHook(id)).toEqual(other);
      expect(await refusedBy(peer.listHooks(id))).toEqual(refusedAs(peer, "MethodNotFound"));
      expect(await refusedBy(peer.deleteHook(id, "x"))).toEqual(refusedAs(peer, "MethodNotFound"));
      return;
    }
    // Without an id the configuration gets the id of its task, as in SDKs of that time.
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
