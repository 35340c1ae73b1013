import type { Operation } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { everyOperation } from "../fixtures/expected.fixture.ts";
import {
  agentMessage,
  anId,
  ask,
  askWithHeaders,
  bindings,
  collect,
  type ErrorName,
  follow,
  named,
  open,
  plain,
  refusal,
  refusalIn,
  refusedAs,
  say,
  sending,
  serverSentData,
  useTestbed,
  written,
} from "../fixtures/testbed.fixture.ts";

const bed = useTestbed();
const at = (agent: string) => `${bed.url}/${agent}`;
const timing = "urn:assay:extension:timing:v1";
const provenance = "urn:assay:extension:provenance:v1";
const acknowledgement = "urn:assay:extension:acknowledgement:v1";

describe.each(bindings)("over %s", (binding) => {
  describe.each(["minimal", "echo"])("/%s says which capability it lacks", (agent) => {
    const task = { id: "t" };
    const config = { taskId: "t", id: "c" };

    test.each<[Operation, object, ErrorName]>([
      ["SendStreamingMessage", sending("hello"), "UnsupportedOperation"],
      ["SubscribeToTask", task, "UnsupportedOperation"],
      ["CreateTaskPushNotificationConfig", { taskId: "t", url: "http://127.0.0.1:9/" }, "PushNotificationNotSupported"],
      ["GetTaskPushNotificationConfig", config, "PushNotificationNotSupported"],
      ["ListTaskPushNotificationConfigs", { taskId: "t" }, "PushNotificationNotSupported"],
      ["DeleteTaskPushNotificationConfig", config, "PushNotificationNotSupported"],
      ["GetExtendedAgentCard", {}, "UnsupportedOperation"],
    ])("%s", async (operation, request, error) => {
      expect(await refusal(at(agent), binding, operation, request)).toEqual(refusedAs(binding, error));
    });

    test("a push configuration inside a send, which then starts nothing", async () => {
      const before = await ask(at(agent), binding, "ListTasks", {});
      const request = sending("task-lifecycle x", {
        taskPushNotificationConfig: { url: "http://127.0.0.1:9/" },
      });
      expect(await refusal(at(agent), binding, "SendMessage", request)).toEqual(
        refusedAs(binding, "PushNotificationNotSupported"),
      );
      expect(await ask(at(agent), binding, "ListTasks", {})).toEqual(before);
    });

    test("its card claims none of them", async () => {
      const { capabilities } = JSON.parse((await plain(`${at(agent)}/.well-known/agent-card.json`)).text);
      expect(capabilities).toEqual({ streaming: false, pushNotifications: false, extendedAgentCard: false });
    });
  });

  test("/minimal offers its two skills, and get, list and cancel", async () => {
    const minimal = at("minimal");
    expect(await ask(minimal, binding, "SendMessage", sending("message-only x"))).toEqual({
      message: agentMessage("[message-only] You said: message-only x"),
    });
    const { task } = await ask(minimal, binding, "SendMessage", sending("task-lifecycle x"));
    expect(task!.status.state).toBe("TASK_STATE_COMPLETED");
    expect(await ask(minimal, binding, "GetTask", { id: task!.id })).toEqual(task);
    expect((await ask(minimal, binding, "ListTasks", { contextId: task!.contextId! })).tasks.length).toBe(1);
    expect(await refusal(minimal, binding, "CancelTask", { id: task!.id })).toEqual(
      refusedAs(binding, "TaskNotCancelable"),
    );
    const { message } = await ask(minimal, binding, "SendMessage", sending("streaming x"));
    expect(message).toEqual(agentMessage("Start your message with one of: message-only, task-lifecycle"));
  });

  describe("/strict serves only clients that declare its extension", () => {
    test.each(everyOperation)("%s without it is refused", async (operation, request) => {
      for (const headers of [{}, { "A2A-Extensions": "" }, { "A2A-Extensions": `${timing}, urn:x` }]) {
        expect(await refusal(at("strict"), binding, operation, request, headers as Record<string, string>)).toEqual(
          refusedAs(binding, "ExtensionSupportRequired"),
        );
      }
    });

    test("with it, the answer carries it in header, extensions and metadata", async () => {
      const { value, headers } = await askWithHeaders(at("strict"), binding, "SendMessage", sending("message-only x"), {
        "A2A-Extensions": acknowledgement,
      });
      expect(headers["a2a-extensions"]).toBe(acknowledgement);
      expect(value).toEqual({
        message: {
          ...agentMessage("[message-only] You said: message-only x"),
          extensions: [acknowledgement],
          metadata: { [acknowledgement]: { acknowledged: true } },
        },
      });
    });

    test("its card is open to everybody and names the extension as required", async () => {
      const { capabilities } = JSON.parse((await plain(`${at("strict")}/.well-known/agent-card.json`)).text);
      expect(capabilities.extensions).toEqual([
        { uri: acknowledgement, description: expect.any(String), required: true },
        { uri: timing, description: expect.any(String) },
        { uri: provenance, description: expect.any(String) },
      ]);
    });
  });

  describe("/full supports two optional extensions", () => {
    const full = () => at("full");

    test("none is active unless asked for", async () => {
      const { value, headers } = await askWithHeaders(full(), binding, "SendMessage", sending("message-only x"));
      expect(value).toEqual({ message: agentMessage("[message-only] You said: message-only x") });
      expect(headers["a2a-extensions"]).toBe(undefined);
    });

    test("those asked for mark message and artifact, and unknown ones are ignored", async () => {
      const asked = { "A2A-Extensions": ` ${provenance} ,urn:unknown,, ${timing},${timing}` };
      const marks = {
        extensions: [timing, provenance],
        metadata: { [timing]: { elapsedMs: expect.any(Number) }, [provenance]: { servedBy: "assay test bed" } },
      };
      const direct = await askWithHeaders(full(), binding, "SendMessage", sending("message-only x"), asked);
      expect(direct.value).toEqual({
        message: { ...agentMessage("[message-only] You said: message-only x"), ...marks },
      });
      expect(direct.headers["a2a-extensions"]).toBe(`${timing}, ${provenance}`);
      const { value } = await askWithHeaders(full(), binding, "SendMessage", sending("task-lifecycle x"), asked);
      expect(value.task?.artifacts).toEqual([
        {
          artifactId: "result",
          name: "result",
          parts: [{ text: "[task-lifecycle] Processed: task-lifecycle x" }],
          ...marks,
        },
      ]);
    });

    test("an unknown extension alone is ignored and not echoed", async () => {
      const asked = { "A2A-Extensions": "urn:unknown, constructor, __proto__" };
      const { value, headers } = await askWithHeaders(full(), binding, "SendMessage", sending("message-only x"), asked);
      expect(value).toEqual({ message: agentMessage("[message-only] You said: message-only x") });
      expect(headers["a2a-extensions"]).toBe(undefined);
    });

    test("a stream echoes them in its head and marks its events", async () => {
      const headers = { "A2A-Extensions": provenance };
      const request = written(full(), binding, "SendStreamingMessage", sending("task-failure x"), headers);
      const response = await open(request.url, request.plain);
      expect(response.headers["a2a-extensions"]).toBe(provenance);
      const last = JSON.parse((await collect(serverSentData(response))).at(-1)!);
      const { message } = (last.result ?? last).statusUpdate.status;
      expect([message.extensions, message.metadata]).toEqual([
        [provenance],
        { [provenance]: { servedBy: "assay test bed" } },
      ]);
    });
  });

  describe("/full keeps its tenants apart", () => {
    const full = () => at("full");
    const start = async (tenant: string | undefined, text: string) => {
      const request = { ...sending(text), ...(tenant === undefined ? {} : { tenant }) };
      return (await ask(full(), binding, "SendMessage", request)).task!;
    };

    test("a task of one is unknown to the other, and to those without a tenant", async () => {
      const task = await start("north", "multi-turn x");
      const { id } = task;
      expect(await ask(full(), binding, "GetTask", { tenant: "north", id })).toEqual(task);
      const notFound = refusedAs(binding, "TaskNotFound");
      for (const elsewhere of [{ tenant: "south" }, {}]) {
        expect(await refusal(full(), binding, "GetTask", { ...elsewhere, id })).toEqual(notFound);
        expect(await refusal(full(), binding, "CancelTask", { ...elsewhere, id })).toEqual(notFound);
        expect(await refusal(full(), binding, "SubscribeToTask", { ...elsewhere, id })).toEqual(notFound);
        const message = say("done", { taskId: id });
        expect(await refusal(full(), binding, "SendMessage", { ...elsewhere, message })).toEqual(notFound);
        const create = { ...elsewhere, taskId: id, url: "http://127.0.0.1:9/" };
        expect(await refusal(full(), binding, "CreateTaskPushNotificationConfig", create)).toEqual(notFound);
        expect(await refusal(full(), binding, "ListTaskPushNotificationConfigs", { ...elsewhere, taskId: id })).toEqual(
          notFound,
        );
      }
      expect((await ask(full(), binding, "CancelTask", { tenant: "north", id })).status.state).toBe(
        "TASK_STATE_CANCELED",
      );
    });

    test("each lists its own, and a page token of one is refused by the other", async () => {
      const contextId = `tenants-${binding}`;
      const north: string[] = [];
      for (let n = 0; n < 2; n++) {
        const message = say("task-lifecycle x", { contextId });
        north.push((await ask(full(), binding, "SendMessage", { tenant: "north", message })).task!.id);
      }
      const list = (more: object) => ask(full(), binding, "ListTasks", { contextId, ...more });
      expect((await list({ tenant: "north" })).tasks.map(({ id }) => id).sort()).toEqual(north.sort());
      expect([(await list({ tenant: "south" })).totalSize, (await list({})).totalSize]).toEqual([0, 0]);
      const { nextPageToken: pageToken } = await list({ tenant: "north", pageSize: 1 });
      expect(await refusal(full(), binding, "ListTasks", { contextId, tenant: "south", pageToken })).toEqual(
        refusedAs(binding, "InvalidParams"),
      );
    });

    test("a stream and a subscription work inside a tenant", async () => {
      const request = { tenant: "south", ...sending("multi-turn x") };
      const events = await collect(follow(full(), binding, "SendStreamingMessage", request));
      const id = events[0]!.task!.id;
      expect(events.at(-1)?.statusUpdate?.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
      const watching = follow(full(), binding, "SubscribeToTask", { tenant: "south", id });
      expect((await watching.next()).value).toMatchObject({ task: { id } });
      await ask(full(), binding, "CancelTask", { tenant: "south", id });
      expect((await collect(watching)).at(-1)?.statusUpdate?.status.state).toBe("TASK_STATE_CANCELED");
    });

    test.each(named(["east", "North", "north ", "constructor", "💥", "a".repeat(3000)]))(
      "the tenant %s is unknown and refused",
      async (_name, tenant) => {
        for (const [operation, request] of [
          ["SendMessage", sending("message-only x")],
          ["GetTask", { id: "t" }],
          ["ListTasks", {}],
        ] as const) {
          expect(await refusal(full(), binding, operation, { tenant, ...request })).toEqual(
            refusedAs(binding, "InvalidParams"),
          );
        }
      },
    );

    test("agents without tenants refuse any", async () => {
      expect(await refusal(at("spec"), binding, "ListTasks", { tenant: "north" })).toEqual(
        refusedAs(binding, "InvalidParams"),
      );
    });
  });
});

describe("tenants on HTTP+JSON besides the path", () => {
  const full = () => at("full");
  const headers = { "A2A-Version": "1.0", "Content-Type": "application/json" };
  const send = (path: string, body: object) =>
    plain(`${full()}${path}`, { method: "POST", headers, body: JSON.stringify(body) });

  test("the body may name the tenant; an empty one counts as absent", async () => {
    const answer = await send("/message:send", { tenant: "north", ...sending("task-lifecycle x") });
    const { id } = JSON.parse(answer.text).task;
    expect((await ask(full(), "HTTP+JSON", "GetTask", { tenant: "north", id })).id).toBe(id);
    const none = await send("/message:send", { tenant: "", ...sending("task-lifecycle x") });
    expect((await ask(full(), "HTTP+JSON", "GetTask", { id: JSON.parse(none.text).task.id })).id).toEqual(anId);
  });

  test("the query may name the tenant", async () => {
    const { task } = await ask(full(), "HTTP+JSON", "SendMessage", { tenant: "north", ...sending("task-lifecycle x") });
    const answer = await plain(`${full()}/tasks/${task!.id}?tenant=north`, { headers });
    expect([answer.status, JSON.parse(answer.text).id]).toEqual([200, task!.id]);
  });

  test("a body that contradicts the path is rejected", async () => {
    const answer = await send("/north/message:send", { tenant: "south", ...sending("task-lifecycle x") });
    expect(refusalIn("HTTP+JSON", answer)).toEqual(refusedAs("HTTP+JSON", "InvalidParams"));
  });

  test("a body may repeat the tenant of the path", async () => {
    const answer = await send("/north/message:send", { tenant: "north", ...sending("message-only x") });
    expect(answer.status).toBe(200);
  });
});
