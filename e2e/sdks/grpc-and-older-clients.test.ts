import type { AgentCard } from "@a2a-js/sdk";
import {
  type Client,
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "@a2a-js/sdk/client";
import { GrpcTransportFactory } from "@a2a-js/sdk/client/grpc";
import { A2AClient as ClientOf02 } from "a2a-sdk-0.2/client";
import {
  type Client as ClientOf03,
  ClientFactory as FactoryOf03,
  ClientFactoryOptions as OptionsOf03,
} from "a2a-sdk-0.3/client";
import { GrpcTransportFactory as GrpcFactoryOf03 } from "a2a-sdk-0.3/client/grpc";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { testSvg } from "../fixtures/expected.fixture.ts";
import { describeSdkClient, type SdkClient } from "../fixtures/sdk-client.fixture.ts";
import { anId, aTimestamp, collect, unknownTask, until, useTestbed } from "../fixtures/testbed.fixture.ts";
import { message } from "./older-conversation.fixture.ts";

// Clients that nobody here wrote, on the wires beside JSON and 1.0. What one of them cannot do is said where it is
// left out, or asserted as the fault it is, so that a repaired release of theirs makes itself known.

const bed = useTestbed({ timeScale: 0.05 });

// @a2a-js/sdk 1.3.0: gRPC, and its layer for agents of 0.3.

const legacyCompat = { enabled: true };
const compatible = (binding: SdkClient["binding"]) =>
  ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
    transports: [
      new JsonRpcTransportFactory({ legacyCompat }),
      new RestTransportFactory({ legacyCompat }),
      new GrpcTransportFactory({ legacyCompat }),
    ],
    cardResolver: new DefaultAgentCardResolver({ legacyCompat }),
    preferredTransports: [binding],
  });

/** The card of an agent as the SDK reads it, with the interfaces of one version only. */
async function cardOf(agent: string, version: string, claiming: "push" | undefined): Promise<AgentCard> {
  const card = await new DefaultAgentCardResolver({ legacyCompat }).resolve(`${bed.url}/${agent}/`);
  const { capabilities } = card;
  return {
    ...card,
    capabilities: { ...capabilities!, ...(claiming ? { pushNotifications: true } : {}) },
    supportedInterfaces: card.supportedInterfaces.filter(({ protocolVersion }) => protocolVersion.startsWith(version)),
  };
}

const subject = (
  binding: SdkClient["binding"],
  version: SdkClient["version"],
  agent: "spec" | "spec03",
): SdkClient => ({
  title: `@a2a-js/sdk 1.3.0 ${version === "1.0" ? "" : "with its 0.3 layer "}over ${binding} on /${agent}`,
  binding,
  version,
  push: agent === "spec03",
  async connect(claiming): Promise<Client> {
    const factory = new ClientFactory(compatible(binding));
    // An agent of 0.3 is found as any other; of one that speaks both, the SDK would rather take 1.0.
    if (agent === "spec03" && !claiming) return factory.createFromUrl(`${bed.url}/${agent}/`);
    return factory.createFromAgentCard(await cardOf(agent, version, claiming));
  },
});

for (const each of [
  subject("GRPC", "1.0", "spec"),
  subject("JSONRPC", "0.3", "spec03"),
  subject("HTTP+JSON", "0.3", "spec03"),
  subject("GRPC", "0.3", "spec03"),
  // There is one home for 0.3 over gRPC on the shared port, /spec03; so /spec declares no such interface.
  subject("JSONRPC", "0.3", "spec"),
  subject("HTTP+JSON", "0.3", "spec"),
]) {
  describeSdkClient(each);
}

test("without its 0.3 layer, @a2a-js/sdk 1.3.0 finds nothing to speak on /spec03", async () => {
  await expect(new ClientFactory().createFromUrl(`${bed.url}/spec03/`)).rejects.toThrow();
});

// @a2a-js/sdk 0.3.14

const text = (words: string) => ({ kind: "text" as const, text: words });
/** A message of the agent, as the older SDKs hand it out. */
const said = (words: string, ids: { taskId?: string; contextId?: string } = {}) =>
  expect.objectContaining({ kind: "message", role: "agent", messageId: anId, parts: [text(words)], ...ids });

interface StatusLike {
  state: string;
  message?: unknown;
}

interface TaskLike {
  kind: "task";
  id: string;
  contextId: string;
  status: StatusLike;
  artifacts?: { artifactId: string; name?: string; parts: unknown[] }[];
  history?: { role: string; parts: unknown[] }[];
  metadata?: Record<string, unknown>;
}

const asTask = (value: unknown): TaskLike => {
  expect(value).toMatchObject({ kind: "task", id: anId, contextId: anId });
  return value as TaskLike;
};

/** A stream of the older SDKs in a few words each; whole values are asserted by older-wires.test.ts. */
const told = (events: readonly unknown[]): unknown[] =>
  events.map((event) => {
    const { kind, status, artifact, append, lastChunk, final } = event as {
      kind: string;
      status?: StatusLike;
      artifact?: { name: string };
      append?: boolean;
      lastChunk?: boolean;
      final?: boolean;
    };
    if (artifact) return [kind, artifact.name, append ?? false, lastChunk ?? false];
    return status ? [kind, status.state, ...(final === undefined ? [] : [final])] : [kind];
  });

describe.concurrent.each(["JSONRPC", "HTTP+JSON", "GRPC"] as const)(
  "@a2a-js/sdk 0.3.14 over %s on /spec03",
  (binding) => {
    let client: ClientOf03;
    const connect = () => {
      const options = OptionsOf03.createFrom(OptionsOf03.default, {
        transports: [new GrpcFactoryOf03()],
        preferredTransports: [binding],
      });
      return new FactoryOf03(options).createFromUrl(`${bed.url}/spec03/`);
    };
    beforeAll(async () => {
      client = await connect();
    });
    const send = async (words: string, more: { taskId?: string; contextId?: string } = {}, configuration?: object) =>
      client.sendMessage({ message: message(words, more), ...(configuration ? { configuration } : {}) });
    const errorName = async (work: Promise<unknown>): Promise<string> => {
      const error = await work.then(
        () => new Error("it was served"),
        (thrown: unknown) => thrown as Error,
      );
      // The classes of this SDK all call themselves "Error", and each transport has its own.
      return error.constructor.name.replace("JSONRPC", "");
    };

    test("message-only: a message, sent and streamed", async () => {
      const says = said("[message-only] You said: message-only hi", { contextId: "ctx-1" });
      expect(await send("message-only hi", { contextId: "ctx-1" })).toEqual(says);
      const stream = client.sendMessageStream({ message: message("message-only hi", { contextId: "ctx-1" }) });
      expect(await collect(stream)).toEqual([says]);
    });

    test("task-lifecycle: completed, and the same when read again", async () => {
      const task = asTask(await send("task-lifecycle it"));
      expect(task).toMatchObject({
        status: { state: "completed" },
        artifacts: [
          { artifactId: "result", name: "result", parts: [text("[task-lifecycle] Processed: task-lifecycle it")] },
        ],
        history: [{ role: "user", parts: [text("task-lifecycle it")], taskId: task.id, contextId: task.contextId }],
      });
      expect(await client.getTask({ id: task.id })).toEqual(task);
    });

    test("task-failure: the agent says why", async () => {
      const { status } = asTask(await send("task-failure please"));
      expect(status).toMatchObject({ state: "failed", message: said("[task-failure] This task fails on purpose.") });
    });

    test("task-cancel: at work at once, then canceled", async () => {
      const { id, status } = asTask(await send("task-cancel go", {}, { blocking: false }));
      expect(["submitted", "working"]).toContain(status.state);
      expect(asTask(await client.cancelTask({ id })).status.state).toBe("canceled");
      expect(asTask(await client.getTask({ id })).status.state).toBe("canceled");
    });

    test("multi-turn: asks, asks again, completes, and the history can be cut", async () => {
      const { id: taskId, contextId, status } = asTask(await send("multi-turn start"));
      expect(status.state).toBe("input-required");
      expect(asTask(await send("blue", { taskId, contextId })).status.state).toBe("input-required");
      const done = asTask(await send("done", { taskId, contextId }));
      expect([done.id, done.contextId, done.status.state]).toEqual([taskId, contextId, "completed"]);
      const { history } = asTask(await client.getTask({ id: taskId, historyLength: 2 }));
      expect(history?.map(({ role }) => role)).toEqual(["agent", "user"]);
    });

    test("streaming: the task, working, four chunks, completed and final", async () => {
      // What this SDK translates from protobuf loses `append` (FromProto.taskArtifactUpdateEvent in 0.3.14).
      const append = binding === "JSONRPC";
      expect(told(await collect(client.sendMessageStream({ message: message("streaming hi") })))).toEqual([
        ["task", "submitted"],
        ["status-update", "working", false],
        ["artifact-update", "stream-result", false, false],
        ["artifact-update", "stream-result", append, false],
        ["artifact-update", "stream-result", append, false],
        ["artifact-update", "stream-result", append, true],
        ["status-update", "completed", true],
      ]);
    });

    test("a task at work: followed to its end", async () => {
      const { id } = asTask(await send("slow 600", {}, { blocking: false }));
      const following = client.resubscribeTask({ id });
      expect(told([(await following.next()).value])).toEqual([["task", "working"]]);
      await client.cancelTask({ id });
      expect(told(await collect(following)).at(-1)).toEqual(["status-update", "canceled", true]);
    });

    test("long-running: polled to its end", async () => {
      const { id } = asTask(await send("long-running go", {}, { blocking: false }));
      const { status } = await until(
        async () => asTask(await client.getTask({ id })),
        (task) => task.status.state === "completed",
      );
      expect(status.message).toEqual(said("[long-running] All steps done."));
    });

    test("data-types: text, data and a file", async () => {
      const { artifacts } = asTask(await send("data-types all"));
      // Over gRPC this SDK reads a null in structured data as the number of its enum, 0.
      const note = binding === "GRPC" ? 0 : null;
      expect(artifacts?.map(({ parts }) => parts)).toMatchObject([
        [text("[data-types] Plain text")],
        [
          {
            kind: "data",
            data: { type: "measurement", values: [1, 2.5, -3], nested: { unit: "mm", ok: true, note } },
          },
        ],
        [{ kind: "file", file: { bytes: testSvg, mimeType: "image/svg+xml" } }],
        [text("[data-types] Text beside data"), { kind: "data", data: { beside: "text" } }],
      ]);
    });

    test("push configurations are set, read, listed and deleted", async () => {
      const { id: taskId } = asTask(await send("multi-turn x"));
      const pushNotificationConfig = {
        id: "mine",
        url: "http://127.0.0.1:9/hook",
        token: "t",
        authentication: { schemes: ["Bearer"], credentials: "c" },
      };
      const given = { taskId, pushNotificationConfig };
      expect(await client.setTaskPushNotificationConfig(given)).toEqual(given);
      const key = { id: taskId, pushNotificationConfigId: "mine" };
      const found = await client.getTaskPushNotificationConfig(key);
      expect(found).toMatchObject({ taskId, pushNotificationConfig: { id: "mine", url: "http://127.0.0.1:9/hook" } });
      expect(JSON.stringify(found)).not.toMatch(/"token":"t"|"credentials":"c"/);
      expect(await client.listTaskPushNotificationConfig({ id: taskId })).toEqual([found]);
      await client.deleteTaskPushNotificationConfig(key);
      expect(await client.listTaskPushNotificationConfig({ id: taskId })).toEqual([]);
    });

    test("the extended card, with the token", async () => {
      const serviceParameters = {
        [binding === "GRPC" ? "authorization" : "Authorization"]: "Bearer agentbin-test-token",
      };
      const card = await (await connect()).getAgentCard({ serviceParameters });
      expect([card.protocolVersion, card.skills.length, card.skills.at(-1)?.id]).toEqual(["0.3.0", 9, "admin-status"]);
    });

    test("errors: an unknown task, a finished one", async () => {
      expect(await errorName(client.getTask({ id: unknownTask }))).toBe("TaskNotFoundError");
      expect(await errorName(client.cancelTask({ id: unknownTask }))).toBe("TaskNotFoundError");
      expect(await errorName(send("x", { taskId: unknownTask }))).toBe("TaskNotFoundError");
      const { id } = asTask(await send("task-lifecycle x"));
      expect(await errorName(client.cancelTask({ id }))).toBe("TaskNotCancelableError");
      // Over gRPC this SDK has no class for a send that is refused: it names the status, UNIMPLEMENTED, and no more.
      expect(await errorName(send("again", { taskId: id }))).toBe(
        binding === "GRPC" ? "Error" : "UnsupportedOperationError",
      );
      // Over JSON-RPC it wants a stream even for an error that came before one, and looks no further.
      expect(await errorName(collect(client.resubscribeTask({ id })))).toBe(
        binding === "JSONRPC" ? "Error" : "UnsupportedOperationError",
      );
    });
  },
);

// @a2a-js/sdk 0.2.5

describe("@a2a-js/sdk 0.2.5 on /spec02", () => {
  let client: ClientOf02;
  beforeAll(() => {
    client = new ClientOf02(`${bed.url}/spec02`);
  });
  const resultOf = (response: object): unknown => {
    expect(Object.keys(response).sort()).toEqual(["id", "jsonrpc", "result"]);
    return (response as { result: unknown }).result;
  };
  const codeOf = (response: object): number => {
    expect(response).toMatchObject({ jsonrpc: "2.0", id: expect.any(Number), error: { message: expect.any(String) } });
    return (response as { error: { code: number } }).error.code;
  };
  const send = (words: string, more: { taskId?: string; contextId?: string } = {}, configuration?: object) =>
    client.sendMessage({
      message: message(words, more),
      // Its types want output modes in every configuration, as 0.2.5 did.
      ...(configuration ? { configuration: { acceptedOutputModes: [], ...configuration } } : {}),
    });
  const sendForTask = async (...args: Parameters<typeof send>) => asTask(resultOf(await send(...args)));
  const getTask = async (id: string, historyLength?: number) =>
    asTask(resultOf(await client.getTask({ id, ...(historyLength === undefined ? {} : { historyLength }) })));

  test("finds the card at agent.json", async () => {
    const card = await client.getAgentCard();
    expect([card.name, card.url, card.skills.length]).toEqual(["Spec Agent 0.2", `${bed.url}/spec02`, 8]);
  });

  test("message-only: a message, sent and streamed", async () => {
    const says = said("[message-only] You said: message-only hi", { contextId: "ctx-1" });
    expect(resultOf(await send("message-only hi", { contextId: "ctx-1" }))).toEqual(says);
    const params = { message: message("message-only hi", { contextId: "ctx-1" }) };
    expect(await collect(client.sendMessageStream(params))).toEqual([says]);
  });

  test("task-lifecycle: completed, and the same when read again", async () => {
    const task = await sendForTask("task-lifecycle it");
    expect(task).toEqual({
      kind: "task",
      id: anId,
      contextId: anId,
      status: { state: "completed", timestamp: aTimestamp },
      artifacts: [
        { artifactId: "result", name: "result", parts: [text("[task-lifecycle] Processed: task-lifecycle it")] },
      ],
      history: [
        {
          kind: "message",
          messageId: anId,
          role: "user",
          parts: [text("task-lifecycle it")],
          taskId: task.id,
          contextId: task.contextId,
        },
      ],
    });
    expect(await getTask(task.id)).toEqual(task);
  });

  test("task-failure and task-cancel", async () => {
    const failed = await sendForTask("task-failure please");
    expect(failed.status).toMatchObject({
      state: "failed",
      message: said("[task-failure] This task fails on purpose."),
    });
    const { id } = await sendForTask("task-cancel go", {}, { blocking: false });
    const metadata = { reason: "because" };
    const canceled = asTask(resultOf(await client.cancelTask({ id, metadata })));
    expect([canceled.status.state, canceled.metadata]).toEqual(["canceled", metadata]);
  });

  test("multi-turn: asks, asks again, completes, and the history can be cut", async () => {
    const { id: taskId, contextId, status } = await sendForTask("multi-turn start");
    const second = await sendForTask("blue", { taskId, contextId });
    const third = await sendForTask("done", { taskId, contextId });
    expect([status.state, second.status.state, third.status.state]).toEqual([
      "input-required",
      "input-required",
      "completed",
    ]);
    expect((await getTask(taskId, 2)).history?.map(({ role }) => role)).toEqual(["agent", "user"]);
  });

  test("streaming: the task, working, four chunks, completed and final", async () => {
    expect(told(await collect(client.sendMessageStream({ message: message("streaming hi") })))).toEqual([
      ["task", "submitted"],
      ["status-update", "working", false],
      ["artifact-update", "stream-result", false, false],
      ["artifact-update", "stream-result", true, false],
      ["artifact-update", "stream-result", true, false],
      ["artifact-update", "stream-result", true, true],
      ["status-update", "completed", true],
    ]);
  });

  test("a task at work: followed again to its end", async () => {
    const { id } = await sendForTask("slow 600", {}, { blocking: false });
    const following = client.resubscribeTask({ id });
    expect(told([(await following.next()).value])).toEqual([["task", "working"]]);
    await client.cancelTask({ id });
    expect(told(await collect(following)).at(-1)).toEqual(["status-update", "canceled", true]);
  });

  test("data-types: text, data and a file, byte for byte", async () => {
    const { artifacts } = await sendForTask("data-types all");
    expect(artifacts?.map(({ parts }) => parts)).toEqual([
      [text("[data-types] Plain text")],
      [
        {
          kind: "data",
          data: { type: "measurement", values: [1, 2.5, -3], nested: { unit: "mm", ok: true, note: null } },
        },
      ],
      [
        {
          kind: "file",
          file: { bytes: testSvg, name: "test.svg", mimeType: "image/svg+xml" },
        },
      ],
      [text("[data-types] Text beside data"), { kind: "data", data: { beside: "text" } }],
    ]);
  });

  test("a push configuration is set and read; this SDK has no call to list or delete one", async () => {
    const { id: taskId } = await sendForTask("multi-turn x");
    const given = { taskId, pushNotificationConfig: { url: "http://127.0.0.1:9/hook", token: "t" } };
    const made = { ...given, pushNotificationConfig: { ...given.pushNotificationConfig, id: taskId } };
    expect(resultOf(await client.setTaskPushNotificationConfig(given))).toEqual(made);
    const { token: _token, ...shown } = made.pushNotificationConfig;
    expect(resultOf(await client.getTaskPushNotificationConfig({ id: taskId }))).toEqual({
      taskId,
      pushNotificationConfig: shown,
    });
  });

  test("errors: an unknown task, a finished one", async () => {
    expect(codeOf(await client.getTask({ id: unknownTask }))).toBe(-32001);
    expect(codeOf(await client.cancelTask({ id: unknownTask }))).toBe(-32001);
    expect(codeOf(await send("x", { taskId: unknownTask }))).toBe(-32001);
    const { id } = await sendForTask("task-lifecycle x");
    expect(codeOf(await client.cancelTask({ id }))).toBe(-32002);
    expect(codeOf(await send("again", { taskId: id }))).toBe(-32004);
  });

  test("an error before a stream is JSON, which this SDK does not look into", async () => {
    const silent = vi.spyOn(console, "error").mockImplementation(() => {});
    const stream = client.sendMessageStream({ message: message("x", { taskId: unknownTask }) });
    await expect(collect(stream)).rejects.toThrow("Invalid response Content-Type for SSE stream");
    silent.mockRestore();
  });
});
