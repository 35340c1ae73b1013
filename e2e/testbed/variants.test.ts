import { Task as SdkTask, SendMessageRequest, StreamResponse } from "@a2a-js/sdk";
import { ClientFactory, ClientFactoryOptions } from "@a2a-js/sdk/client";
import { type JsonObject, type ListTasksResponse, type Message, read, type Task, validate } from "@assay/protocol";
import { createEgressGuard, createPeer, createPeerClients } from "@assay/wire";
import type { ServiceError } from "@grpc/grpc-js";
import { afterAll, describe, expect, test } from "vitest";
import { provesAll } from "../fixtures/proves-all.fixture.ts";
import { onTask, quickly, Subject, startHook } from "../fixtures/subject.fixture.ts";
import { collect, plain, say, sending, unknownTask, until, useTestbed } from "../fixtures/testbed.fixture.ts";
import { variantRows } from "../surroundings/rows.fixture.ts";

// Every variant is seen to be odd, and to be understood all the same: its answers fit the schema, and three clients,
// that of @a2a-js/sdk 1.3.0, our own and @grpc/grpc-js, get their work done with it.

const bed = useTestbed({ timeScale: 0.02 });

interface Row {
  readonly id: string;
  /** something in which the variant differs from its base */
  readonly see: (agent: Subject) => Promise<unknown>;
  readonly usual: unknown;
  readonly odd: unknown;
  /** the answers hold what only a tolerant reader takes: unknown members, null for absent */
  readonly tolerance?: string;
  /** ended tasks cannot be asked for */
  readonly forgets?: true;
  /** plain messages are refused, and so there is no work to get done */
  readonly refuses?: true;
  /** what @a2a-js/sdk 1.3.0 cannot cope with although it is legal, and why */
  readonly sdkFails?: string;
}

const row = (
  id: string,
  see: Row["see"],
  [usual, odd]: readonly [unknown, unknown],
  more: Pick<Row, "tolerance" | "forgets" | "refuses" | "sdkFails"> = {},
): Row => ({ id, see, usual, odd, ...more });

const both = ["JSONRPC", "HTTP+JSON"] as const;

const streamed = (agent: Subject, text = "task-lifecycle hi") => agent.events("SendStreamingMessage", sending(text));
const rawAnswer = async (agent: Subject) =>
  (await agent.hear("JSONRPC", "SendMessage", sending("task-lifecycle hi"))).text;
const statesOf = async (agent: Subject) =>
  (await streamed(agent)).events.map((event) => {
    return event.task ? `task ${event.task.status.state}` : (event.statusUpdate?.status.state ?? "artifact");
  });
const historyOf = async (agent: Subject) => {
  const { id } = await agent.task("multi-turn one");
  await agent.ask("SendMessage", onTask("two", id));
  return (await agent.ask<Task>("GetTask", { id })).history?.map(({ role }) => role);
};
const canceled = async (agent: Subject) => {
  const { id } = await agent.task("task-cancel hi", quickly);
  return [id, (await agent.ask<Task>("CancelTask", { id })).status.state] as const;
};
const config = async (agent: Subject, id?: string) => {
  const { id: taskId } = await agent.task("multi-turn hi");
  return { taskId, url: "http://127.0.0.1:9/hook", ...(id === undefined ? {} : { id }) };
};
/** What a webhook hears of a task, until its end has been told so many times. */
const told = async (agent: Subject, endings = 1) => {
  const { url, posted } = await startHook();
  await agent.task("task-lifecycle hi", { configuration: { taskPushNotificationConfig: { url } } });
  const ends = () => posted.filter(({ body }) => JSON.stringify(body).includes("TASK_STATE_COMPLETED")).length;
  await until(
    async () => ends(),
    (count) => count >= endings,
  );
  return posted;
};
const toHook = async (agent: Subject, id?: string) => {
  const given = await config(agent, id);
  return agent.ask("CreateTaskPushNotificationConfig", given);
};
const said = async (agent: Subject) => outcome(await agent.ask("SendMessage", sending("task-lifecycle hi")));
const keysOf = (json: unknown) => Object.keys(json as object);
const outcome = (answer: JsonObject) => answer["code"] ?? keysOf(answer)[0];

/** Whether it shows in one of many tries: on a busy machine a moment may be over before it is looked at. */
const onceOf = async (isSeen: () => Promise<boolean>, tries = 30): Promise<boolean> =>
  tries > 0 && ((await isSeen()) || onceOf(isSeen, tries - 1));
const isUnfound = (answer: JsonObject): boolean => answer["code"] === -32001;
const newTask = async (agent: Subject) => (await agent.task("task-lifecycle hi")).id;
/** A new task is not found at first. */
const foundLate = (agent: Subject) =>
  onceOf(async () => isUnfound(await agent.ask("GetTask", { id: await newTask(agent) })));

const rows: readonly Row[] = [
  row("sorted-members", async (agent) => (await rawAnswer(agent)).slice(0, 9), ['{"jsonrpc', '{"id": "c']),
  row("pretty-json", async (agent) => (await rawAnswer(agent)).split("\n").length > 10, [false, true]),
  row(
    "unknown-members",
    async (agent) => keysOf((await agent.task("task-lifecycle hi")).status),
    [
      ["state", "timestamp"],
      ["state", "timestamp", "x-vendor", "x_trace"],
    ],
    { tolerance: "members that the schema does not know" },
  ),
  row("empty-metadata", async (agent) => (await agent.task("task-lifecycle hi")).metadata, [undefined, {}]),
  row("microseconds", async (agent) => (await agent.task("task-lifecycle hi")).status.timestamp?.length, [24, 27]),
  row("whole-seconds", async (agent) => (await agent.task("task-lifecycle hi")).status.timestamp?.length, [24, 20]),
  row("no-timestamps", async (agent) => (await agent.task("task-lifecycle hi")).status.timestamp?.length, [
    24,
    undefined,
  ]),
  row(
    "context-free-messages",
    async (agent) => keysOf((await agent.ask<{ message: Message }>("SendMessage", sending("message-only x"))).message),
    [
      ["messageId", "contextId", "role", "parts"],
      ["messageId", "role", "parts"],
    ],
  ),

  row(
    "takes-roleless",
    async (agent) => {
      const { messageId, parts } = sending("task-lifecycle hi").message;
      return outcome(await agent.ask("SendMessage", { message: { messageId, parts } }));
    },
    [-32602, "task"],
  ),

  row("crlf", async (agent) => /\r\n\r\n/.test((await streamed(agent)).raw), [false, true]),
  row("cr", async (agent) => /\n/.test((await streamed(agent)).raw), [true, false], {
    sdkFails: "its reader of event streams splits lines at LF alone, so it finds no event",
  }),
  row("multi-line-data", async (agent) => (await streamed(agent)).raw.match(/^data: /gm)!.length > 20, [false, true]),
  row("sse-extras", async (agent) => (await streamed(agent)).raw.match(/^(id|retry|event|)(?=:)/gm), [
    null,
    Array.from({ length: 4 }, () => ["", "retry", "event", "id"]).flat(),
  ]),
  row("no-space", async (agent) => (await streamed(agent)).raw.slice(0, 6), ["data: ", "data:{"]),
  row("sse-charset", async (agent) => (await streamed(agent)).type, [
    "text/event-stream",
    "text/event-stream; charset=utf-8",
  ]),
  row(
    "errors-as-events",
    async (agent) => {
      const { type, events } = await agent.events("SubscribeToTask", { id: unknownTask });
      return [type, events.map((event) => keysOf(event))];
    },
    [
      ["application/json", []],
      ["text/event-stream", [["jsonrpc", "id", "error"]]],
    ],
  ),
  row(
    "escaped-unicode",
    async (agent) => {
      const { raw, events } = await streamed(agent, "task-lifecycle é漢😀");
      const texts = events.flatMap(({ artifactUpdate }) => artifactUpdate?.artifact.parts[0]?.text ?? []);
      return [/[^\0-\x7f]/.test(raw), texts];
    },
    [
      [true, ["[task-lifecycle] Processed: task-lifecycle é漢😀"]],
      [false, ["[task-lifecycle] Processed: task-lifecycle é漢😀"]],
    ],
  ),

  row(
    "split-bytes",
    async (agent) => {
      const { url, headers } = {
        url: agent.url,
        headers: { "A2A-Version": "1.0", "Content-Type": "application/json" },
      };
      const call = { jsonrpc: "2.0", id: 1, method: "SendMessage", params: sending("message-only é") };
      const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(call) });
      const chunks = await collect(response.body as AsyncIterable<Uint8Array>);
      return [chunks.length > 3, Buffer.concat(chunks).includes("é")];
    },
    [
      [false, true],
      [true, true],
    ],
  ),
  row(
    "chunked",
    async (agent) => {
      const { headers } = await agent.hear("JSONRPC", "SendMessage", sending("message-only x"));
      return [headers["transfer-encoding"], headers["connection"]];
    },
    [
      [undefined, "keep-alive"],
      ["chunked", "close"],
    ],
  ),
  row(
    "until-close",
    async (agent) => {
      const { headers } = await agent.hear("JSONRPC", "SendMessage", sending("message-only x"));
      return [headers["transfer-encoding"] ?? headers["content-length"] !== undefined, headers["connection"]];
    },
    [
      [true, "keep-alive"],
      [false, "close"],
    ],
  ),
  row(
    "slow-first-byte",
    async (agent) => {
      const isQuick = async (): Promise<boolean> => {
        const start = Date.now();
        await agent.card();
        return Date.now() - start < 330;
      };
      return onceOf(isQuick, agent.isBase ? 100 : 3);
    },
    [true, false],
  ),
  row(
    "rest-201-204",
    async (agent) => {
      const given = await config(agent, "one");
      const made = await agent.hear("HTTP+JSON", "CreateTaskPushNotificationConfig", given);
      const gone = await agent.hear("HTTP+JSON", "DeleteTaskPushNotificationConfig", {
        taskId: given.taskId,
        id: "one",
      });
      return [made.status, JSON.parse(made.text).id, gone.status, gone.text];
    },
    [
      [200, "one", 200, "{}"],
      [201, "one", 204, ""],
    ],
  ),
  row("plain-json", async (agent) => (await agent.hear("HTTP+JSON", "ListTasks", {})).headers["content-type"], [
    "application/a2a+json",
    "application/json; charset=utf-8",
  ]),
  row(
    "rpc-http-status",
    async (agent) => {
      const { status, text } = await agent.hear("JSONRPC", "GetTask", { id: unknownTask });
      return [status, JSON.parse(text).error.code];
    },
    [
      [200, -32001],
      [400, -32001],
    ],
  ),
  row(
    "subscribe-by-post",
    async (agent) => {
      const { id } = await agent.task("slow 50", quickly);
      const byPost = await agent.events("SubscribeToTask", { id }, { binding: "HTTP+JSON", leaveAfter: 1 });
      const byGet = plain(`${agent.url}/tasks/${id}:subscribe`, { headers: { "A2A-Version": "1.0" } });
      return [(await byGet).status, byPost.events.map(keysOf)];
    },
    [
      [200, [["task"]]],
      [405, [["task"]]],
    ],
  ),

  row(
    "subscribe-by-get",
    async (agent) => {
      const { id } = await agent.task("slow 50", quickly);
      const url = `${agent.url}/tasks/${id}:subscribe`;
      const headers = { "A2A-Version": "1.0" };
      const statuses = await Promise.all(
        ["GET", "POST"].map(async (method) => {
          const stop = new AbortController();
          const { status } = await fetch(url, { method, headers, signal: stop.signal });
          stop.abort();
          return status;
        }),
      );
      return statuses;
    },
    [
      [200, 200],
      [200, 405],
    ],
  ),

  row(
    "old-error-column",
    async (agent) => {
      const { id } = await agent.task("task-lifecycle hi");
      const overGrpc = agent.grpc().all("SubscribeToTask", { id });
      const status = await overGrpc.catch((error: ServiceError) => error.code);
      return [await agent.ask("CancelTask", { id }, { binding: "HTTP+JSON" }), status];
    },
    [
      [{ code: 400, reason: "TASK_NOT_CANCELABLE" }, 9],
      [{ code: 409, reason: "TASK_NOT_CANCELABLE" }, 12],
    ],
  ),
  row(
    "no-error-info",
    async (agent) => {
      const { text } = await agent.hear("JSONRPC", "GetTask", { id: unknownTask });
      return keysOf(JSON.parse(text).error);
    },
    [
      ["code", "message", "data"],
      ["code", "message"],
    ],
  ),
  row(
    "no-error-status",
    async (agent) => {
      const { text } = await agent.hear("HTTP+JSON", "GetTask", { id: unknownTask });
      return keysOf(JSON.parse(text).error).toSorted();
    },
    [
      ["code", "details", "message", "status"],
      ["code", "details", "message"],
    ],
  ),
  row(
    "uniform-403",
    async (agent) => {
      const { id } = await agent.task("task-lifecycle hi");
      const bob = { headers: { Authorization: "Bearer bob-token" } };
      return [await agent.ask("GetTask", { id }, bob), await agent.ask("GetTask", { id: unknownTask }, bob)];
    },
    [
      [
        { code: -32001, reason: "TASK_NOT_FOUND" },
        { code: -32001, reason: "TASK_NOT_FOUND" },
      ],
      [
        { code: -31403, reason: "PERMISSION_DENIED" },
        { code: -31403, reason: "PERMISSION_DENIED" },
      ],
    ],
  ),
  row(
    "unconfigured-card",
    async (agent) => {
      const headers = { Authorization: "Bearer agentbin-test-token" };
      return (await agent.ask("GetExtendedAgentCard", {}, { headers }))["code"];
    },
    [undefined, -32007],
  ),
  // They answer with messages, so there is no work to get done.
  row("messages-without-list", async (agent) => (await agent.ask("ListTasks", {}))["code"], [undefined, -32601], {
    refuses: true,
  }),
  row("messages-alone", async (agent) => (await agent.ask("GetTask", { id: unknownTask }))["code"], [-32001, -32601], {
    refuses: true,
  }),
  row(
    "messages-without-paths",
    async (agent) => (await agent.hear("HTTP+JSON", "GetTask", { id: unknownTask })).text.includes("TASK_NOT_FOUND"),
    [true, false],
    { refuses: true },
  ),
  row(
    "wants-other-messages",
    async (agent) => (await agent.ask("SendMessage", sending("hi")))["code"],
    [undefined, -32004],
    { refuses: true },
  ),
  row(
    "messages-unsupported",
    async (agent) => (await agent.ask("GetTask", { id: unknownTask }))["code"],
    [-32001, -32004],
    { refuses: true },
  ),
  row("no-good-answer", async (agent) => (await agent.ask("SendMessage", sending("hi")))["code"], [undefined, -32006], {
    refuses: true,
  }),
  // Only the first time; the tests behind this one are not the first.
  row("stumbles", async (agent) => (await agent.ask("ListTasks", {}))["code"], [undefined, -32603]),
  row("asks-for-patience", async (agent) => (await agent.hear("JSONRPC", "ListTasks", {})).status, [200, 429]),

  row("closing-snapshot", statesOf, [
    ["task TASK_STATE_SUBMITTED", "TASK_STATE_WORKING", "artifact", "TASK_STATE_COMPLETED"],
    [
      "task TASK_STATE_SUBMITTED",
      "TASK_STATE_WORKING",
      "artifact",
      "TASK_STATE_COMPLETED",
      "task TASK_STATE_COMPLETED",
    ],
  ]),
  row(
    "cut-stream",
    async (agent) => {
      const { events } = await streamed(agent, "streaming hi");
      return events.at(-1)?.statusUpdate?.status.state;
    },
    ["TASK_STATE_COMPLETED", undefined],
  ),
  row(
    "open-at-input-required",
    async (agent) => {
      const request = sending("multi-turn hi");
      const listening = agent.events("SendStreamingMessage", request);
      const id = await until(
        async () =>
          (await agent.ask<ListTasksResponse>("ListTasks", { status: "TASK_STATE_INPUT_REQUIRED" })).tasks[0]?.id,
        (found) => found !== undefined,
      );
      await agent.ask("SendMessage", onTask("done", id!));
      const { events, ended } = await listening;
      return [events.at(-1)?.statusUpdate?.status.state, ended];
    },
    [
      ["TASK_STATE_INPUT_REQUIRED", true],
      ["TASK_STATE_COMPLETED", true],
    ],
  ),
  row(
    "one-stream",
    async (agent) => {
      const { id } = await agent.task("slow 50", quickly);
      const stop = new AbortController();
      const subscribe = () =>
        fetch(`${agent.url}/tasks/${id}:subscribe`, {
          method: "POST",
          headers: { "A2A-Version": "1.0" },
          signal: stop.signal,
        });
      const statuses = [(await subscribe()).status, (await subscribe()).status];
      stop.abort();
      return statuses;
    },
    [
      [200, 200],
      [200, 400],
    ],
  ),
  row(
    "no-last-chunk",
    async (agent) => (await streamed(agent)).events.flatMap(({ artifactUpdate }) => artifactUpdate?.lastChunk ?? []),
    [[true], []],
  ),
  row(
    "cancel-twice",
    async (agent) => {
      const [id] = await canceled(agent);
      const again = await agent.ask("CancelTask", { id });
      return again["code"] ?? (again as unknown as Task).status.state;
    },
    [-32002, "TASK_STATE_CANCELED"],
  ),
  row(
    "cancel-later",
    async (agent) => {
      const [id, state] = await canceled(agent);
      return [state, await agent.ending(id)];
    },
    [
      ["TASK_STATE_CANCELED", "TASK_STATE_CANCELED"],
      ["TASK_STATE_WORKING", "TASK_STATE_CANCELED"],
    ],
  ),
  row("late-cancel", async (agent) => [(await canceled(agent))[1], (await canceled(agent))[1]], [
    ["TASK_STATE_CANCELED", "TASK_STATE_CANCELED"],
    ["TASK_STATE_COMPLETED", "TASK_STATE_CANCELED"],
  ]),
  row(
    "random-durations",
    async (agent) => {
      let { id, status } = await agent.task("slow 0.1", quickly);
      while (status.state === "TASK_STATE_SUBMITTED") ({ id, status } = await agent.ask<Task>("GetTask", { id }));
      return status.message?.parts[0]?.text === "[slow] Working for 0.1 s";
    },
    [true, false],
  ),
  row(
    "asks-again",
    async (agent) => {
      const { id } = await agent.task("multi-turn one");
      const { task } = await agent.ask<{ task: Task }>("SendMessage", onTask("done", id));
      return task.status.state;
    },
    ["TASK_STATE_COMPLETED", "TASK_STATE_INPUT_REQUIRED"],
  ),
  row(
    "newest-first",
    async (agent) => {
      const { id } = await agent.task("multi-turn one");
      await agent.ask("SendMessage", onTask("two", id));
      return (await agent.ask<Task>("GetTask", { id })).history?.[0]?.parts[0]?.text;
    },
    ["multi-turn one", "two"],
  ),
  row("twice-in-history", async (agent) => (await historyOf(agent))?.length, [3, 6]),
  row("no-history", historyOf, [["ROLE_USER", "ROLE_AGENT", "ROLE_USER"], undefined]),
  row(
    "many-tasks",
    async (agent) => /one of many/.test((await agent.hear("JSONRPC", "ListTasks", { includeArtifacts: true })).text),
    [false, true],
  ),
  row(
    "capped-pages",
    async (agent) => {
      for (const text of ["one", "two", "three"]) await agent.task(`task-lifecycle ${text}`);
      const { tasks, pageSize } = await agent.ask<ListTasksResponse>("ListTasks", { pageSize: 3 });
      return [tasks.length, pageSize];
    },
    [
      [3, 3],
      [2, 2],
    ],
  ),
  row("artifacts-at-the-close", statesOf, [
    ["task TASK_STATE_SUBMITTED", "TASK_STATE_WORKING", "artifact", "TASK_STATE_COMPLETED"],
    ["task TASK_STATE_SUBMITTED", "TASK_STATE_WORKING", "TASK_STATE_COMPLETED", "task TASK_STATE_COMPLETED"],
  ]),
  row(
    "clamps",
    async (agent) => {
      const page = await agent.ask("ListTasks", { pageSize: 150 });
      return page["code"] ?? page["pageSize"];
    },
    [-32602, 100],
  ),
  row(
    "past-times",
    async (agent) => {
      const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
      return outcome(await agent.ask("ListTasks", { statusTimestampAfter: tomorrow }));
    },
    ["tasks", -32602],
  ),
  row(
    "ignores-inline-push",
    async (agent) => {
      const configuration = { taskPushNotificationConfig: { url: "http://127.0.0.1:9/" } };
      return outcome(await agent.ask("SendMessage", { ...sending("task-lifecycle hi"), configuration }));
    },
    [-32003, "task"],
  ),

  row(
    "purges-ended",
    async (agent) => outcome(await agent.ask("GetTask", { id: (await agent.task("task-lifecycle hi")).id })),
    ["id", -32001],
    { forgets: true },
  ),
  row(
    "purges-ended-later",
    async (agent) => {
      const id = await newTask(agent);
      const isThere = await onceOf(async () => !isUnfound(await agent.ask("GetTask", { id: await newTask(agent) })));
      if (!agent.isBase) await new Promise((resolve) => setTimeout(resolve, 1_100));
      return [isThere, isUnfound(await agent.ask("GetTask", { id }))];
    },
    [
      [true, false],
      [true, true],
    ],
  ),
  row(
    "own-contexts",
    async (agent) => {
      const message = say("task-lifecycle hi", { contextId: crypto.randomUUID() });
      return outcome(await agent.ask("SendMessage", { message }));
    },
    ["task", -32602],
  ),
  row("reads-data-alone", said, ["task", -32005], { refuses: true }),
  row("forbids-messages", said, ["task", -31403], { refuses: true }),
  row(
    "wants-payment",
    async (agent) => (await agent.hear("JSONRPC", "SendMessage", sending("task-lifecycle hi"))).status,
    [200, 402],
    { refuses: true },
  ),
  row(
    "any-media",
    async (agent) => {
      const message = say("task-lifecycle hi", { parts: [{ text: "task-lifecycle hi", mediaType: "x/y" }] });
      return outcome(await agent.ask("SendMessage", { message }));
    },
    [-32005, "task"],
  ),
  row("late-tasks-60", foundLate, [false, true], { forgets: true }),
  row("late-tasks-300", foundLate, [false, true], { forgets: true }),
  row(
    "late-configs",
    async (agent) => {
      const { id: taskId } = await agent.task("multi-turn hi");
      const get = (id: string) => agent.ask("GetTaskPushNotificationConfig", { taskId, id });
      const make = (id: string) =>
        agent.ask("CreateTaskPushNotificationConfig", { taskId, id, url: "http://127.0.0.1:9/hook" });
      return onceOf(async () => {
        const id = crypto.randomUUID();
        await make(id);
        const wasUnfound = isUnfound(await get(id));
        await until(
          () => get(id),
          (config) => config["id"] === id,
        );
        await agent.ask("DeleteTaskPushNotificationConfig", { taskId, id });
        const isStillThere = !isUnfound(await get(id));
        await until(() => get(id), isUnfound);
        return wasUnfound && isStillThere;
      }, 5);
    },
    [false, true],
  ),
  row("late-and-purging", foundLate, [false, true], { forgets: true }),

  row(
    "delete-null",
    async (agent) => {
      const { taskId } = await config(agent);
      return agent.ask("DeleteTaskPushNotificationConfig", { taskId, id: "none" });
    },
    [{}, null],
  ),
  row(
    "config-named-after-task",
    async (agent) => {
      const given = await config(agent);
      return (await agent.ask("CreateTaskPushNotificationConfig", given))["id"] === given.taskId;
    },
    [false, true],
  ),

  row(
    "one-config-per-task",
    async (agent) => {
      const { taskId, id } = await toHook(agent, "mine");
      return id === taskId;
    },
    [false, true],
  ),
  row("guarded-webhooks", async (agent) => outcome(await toHook(agent, "mine")), ["taskId", -32602]),
  row(
    "delete-once",
    async (agent) => {
      const { taskId } = await config(agent);
      return outcome(await agent.ask("DeleteTaskPushNotificationConfig", { taskId, id: "none" }));
    },
    [undefined, -32001],
  ),
  row(
    "config-not-found",
    async (agent) => {
      const { taskId } = await config(agent);
      const asked = { taskId, id: "none" };
      return (await agent.ask("GetTaskPushNotificationConfig", asked, { binding: "HTTP+JSON" }))["reason"];
    },
    ["TASK_NOT_FOUND", "PUSH_CONFIG_NOT_FOUND"],
  ),
  row("notifies-the-end", async (agent) => (await told(agent)).length, [4, 1]),
  row("notifies-plain-json", async (agent) => (await told(agent))[0]!.headers["content-type"], [
    "application/a2a+json",
    "application/json",
  ]),
  row("notifies-twice", async (agent) => (await told(agent, agent.isBase ? 1 : 2)).length, [4, 8]),
  row(
    "notifies-late",
    (agent) =>
      onceOf(
        async () => {
          const startedAt = Date.now();
          await told(agent);
          return Date.now() - startedAt < 400;
        },
        agent.isBase ? 100 : 3,
      ),
    [true, false],
  ),
  row(
    "hidden-credentials",
    async (agent) => {
      const given = { ...(await config(agent)), authentication: { scheme: "Bearer", credentials: "x" } };
      return (await agent.ask("CreateTaskPushNotificationConfig", given))["authentication"];
    },
    [{ scheme: "Bearer", credentials: "x" }, { scheme: "Bearer" }],
  ),
  row(
    "shown-credentials",
    async (agent) => {
      const given = {
        ...(await config(agent, "mine")),
        token: "t",
        authentication: { scheme: "Bearer", credentials: "x" },
      };
      await agent.ask("CreateTaskPushNotificationConfig", given);
      const { token, authentication } = await agent.ask("GetTaskPushNotificationConfig", {
        taskId: given.taskId,
        id: "mine",
      });
      return [token, authentication];
    },
    [
      [undefined, { scheme: "Bearer" }],
      ["t", { scheme: "Bearer", credentials: "x" }],
    ],
  ),
  row(
    "paged-configs",
    async (agent) => {
      const { taskId } = await toHook(agent, "one");
      await agent.ask("CreateTaskPushNotificationConfig", { taskId, id: "two", url: "http://127.0.0.1:9/hook" });
      const { configs } = await agent.ask<{ configs: unknown[] }>("ListTaskPushNotificationConfigs", { taskId });
      return configs.length;
    },
    [2, 1],
  ),
  row(
    "forgets-configs",
    async (agent) => {
      const { id: taskId } = await agent.task("task-lifecycle hi");
      return outcome(await agent.ask("ListTaskPushNotificationConfigs", { taskId }));
    },
    ["configs", -32001],
  ),

  row(
    "login-in-the-envelope",
    async (agent) => (await agent.hear("JSONRPC", "ListTasks", {}, { Authorization: "Bearer nobody" })).status,
    [401, 200],
  ),
  row(
    "rejects-private-files",
    async (agent) => {
      const { message } = sending("task-lifecycle hi");
      const parts = [...message.parts, { url: "http://2130706433:9/note.txt" }];
      const { task } = await agent.ask<{ task: Task }>("SendMessage", { message: { ...message, parts } });
      return task.status.state;
    },
    ["TASK_STATE_COMPLETED", "TASK_STATE_REJECTED"],
  ),
  row(
    "rights-after-look-up",
    async (agent) => {
      const carol = { headers: { Authorization: "Bearer carol-token" } };
      return (await agent.ask("CancelTask", { id: unknownTask }, carol))["code"];
    },
    [-31403, -32001],
  ),
  row(
    "foreign-is-forbidden",
    async (agent) => {
      const { id } = await agent.task("task-lifecycle hi");
      const bob = { headers: { Authorization: "Bearer bob-token" } };
      return [
        (await agent.ask("GetTask", { id }, bob))["code"],
        (await agent.ask("GetTask", { id: unknownTask }, bob))["code"],
      ];
    },
    [
      [-32001, -32001],
      [-31403, -32001],
    ],
  ),
  row(
    "mute-login",
    async (agent) => (await agent.hear("JSONRPC", "ListTasks", {}, { Authorization: "Bearer nobody" })).text === "",
    [false, true],
  ),
  row(
    "key-in-query",
    async ({ url }) => (await plain(`${url}/tasks?key=alice-key`, { headers: { "A2A-Version": "1.0" } })).status,
    [401, 200],
  ),
  row(
    "key-in-cookie",
    async ({ url }) => {
      const headers = { "A2A-Version": "1.0", Cookie: "x=1; agent-key=alice-key" };
      return (await plain(`${url}/tasks`, { headers })).status;
    },
    [401, 200],
  ),
  row(
    "slows-guessing",
    async (agent) => {
      const guess = () => agent.hear("JSONRPC", "ListTasks", {}, { Authorization: "Bearer nobody" });
      return (await Promise.all(Array.from({ length: 40 }, guess))).some(({ status }) => status === 429);
    },
    [false, true],
  ),

  row("legacy-card", async (agent) => (await agent.card())["protocolVersion"], [undefined, "0.3.0"], {
    tolerance: "members of 0.3 on the card",
  }),
  row(
    "listed-scopes",
    async (agent) => {
      const { securityRequirements } = (await agent.card()) as { securityRequirements: { schemes: JsonObject }[] };
      return securityRequirements.find(({ schemes }) => "bearer" in schemes)?.schemes["bearer"];
    },
    [{}, { list: [] }],
  ),
  row(
    "uncached-card",
    async (agent) => {
      const { headers } = await agent.get("/.well-known/agent-card.json");
      return ["etag", "last-modified", "cache-control"].map((name) => name in headers);
    },
    [
      [true, true, true],
      [false, false, false],
    ],
  ),
  row("null-members", async (agent) => (await agent.card())["iconUrl"], [undefined, null], {
    tolerance: "null on the card",
  }),
  row("full-card", async (agent) => Object.keys((await agent.card())["securitySchemes"] as JsonObject).length, [7, 11]),
  row("two-signatures", async (agent) => ((await agent.card())["signatures"] as JsonObject[]).length, [1, 2]),

  row(
    "version-optional",
    async (agent) =>
      outcome(await agent.ask("SendMessage", sending("message-only x"), { headers: { "A2A-Version": "" } })),
    [-32009, "message"],
  ),
  row(
    "any-minor",
    async (agent) =>
      Promise.all(
        ["1.99", "2.0"].map(async (version) =>
          outcome(await agent.ask("SendMessage", sending("message-only x"), { headers: { "A2A-Version": version } })),
        ),
      ),
    [
      [-32009, -32009],
      ["message", -32009],
    ],
  ),
  row(
    "task-before-version",
    async (agent) =>
      Promise.all(
        (["GetTask", "ListTasks"] as const).map(async (operation) =>
          outcome(await agent.ask(operation, { id: unknownTask }, { headers: { "A2A-Version": "99.0" } })),
        ),
      ),
    [
      [-32009, -32009],
      [-32001, -32009],
    ],
  ),

  row(
    "grpc-extras",
    async (agent) => {
      const failed = await agent
        .grpc()
        .ask("GetTask", { id: unknownTask })
        .catch((error: ServiceError) => error);
      return (failed as ServiceError).metadata.get("x-served-by");
    },
    [[], ["assay"]],
  ),

  row(
    "short-pages",
    async (agent) => {
      const contextId = crypto.randomUUID();
      for (let count = 0; count < 3; count++)
        await agent.task("task-lifecycle hi", { message: say("task-lifecycle hi", { contextId }) });
      const page = await agent.ask<ListTasksResponse>("ListTasks", { contextId, pageSize: 2 });
      return [page.tasks.length, page.pageSize, page.nextPageToken !== ""];
    },
    [
      [2, 2, true],
      [1, 2, true],
    ],
  ),
  row(
    "recognises-repeats",
    async (agent) => {
      const request = sending("task-lifecycle hi");
      const ids = [1, 2].map(async () => (await agent.ask<{ task: Task }>("SendMessage", request)).task.id);
      return new Set(await Promise.all(ids)).size;
    },
    [2, 1],
  ),
  row(
    "goes-on-by-itself",
    async (agent) => {
      const { id, status } = await agent.task("auth-required hi");
      if (!agent.isBase) await agent.ending(id);
      return [status.state, await agent.stateOf(id)];
    },
    [
      ["TASK_STATE_AUTH_REQUIRED", "TASK_STATE_AUTH_REQUIRED"],
      ["TASK_STATE_AUTH_REQUIRED", "TASK_STATE_COMPLETED"],
    ],
  ),
  row(
    "own-words",
    async (agent) => {
      const { text } = await agent.hear("JSONRPC", "GetTask", { id: unknownTask });
      return text.includes("Das ging leider schief.");
    },
    [false, true],
  ),
  row(
    "odd-tenants",
    async (agent) => {
      const [, , , , tenant] = ((await agent.card())["supportedInterfaces"] as JsonObject[]).map(
        (each) => each["tenant"],
      );
      const listed = await agent.hear("HTTP+JSON", "ListTasks", { tenant });
      return [tenant, listed.status];
    },
    [
      ["north", 200],
      ["north/east", 200],
    ],
  ),
  row(
    "card-by-rank",
    async (agent) => {
      const skillsFor = async (name: string) => {
        const headers = { Authorization: `Bearer ${name}-token` };
        const card = await agent.ask<{ skills?: { id: string }[] }>("GetExtendedAgentCard", {}, { headers });
        return card.skills?.some(({ id }) => id === "admin-status");
      };
      return [await skillsFor("alice"), await skillsFor("carol")];
    },
    [
      [true, undefined],
      [true, false],
    ],
  ),
  row("own-binding", async (agent) => ((await agent.card())["supportedInterfaces"] as JsonObject[]).length, [5, 6]),
  row(
    "extension-method",
    async (agent) => {
      const call = { jsonrpc: "2.0", id: 1, method: "assay.timing/elapsed", params: {} };
      const heard = [{}, { Authorization: "" }].map(async (headers) => {
        const { text, status } = await agent.post(call, { "A2A-Version": "1.0", ...headers });
        return [status, keysOf(JSON.parse(text)).at(-1)];
      });
      return Promise.all(heard);
    },
    [
      [
        [200, "error"],
        [401, "error"],
      ],
      [
        [200, "result"],
        [401, "error"],
      ],
    ],
  ),

  row(
    "card-by-version",
    async (agent) => {
      const cards = [{}, { "A2A-Version": "1.0" }].map((headers) => agent.get("/.well-known/agent-card.json", headers));
      return (await Promise.all(cards)).map(({ text }) => (JSON.parse(text) as JsonObject)["protocolVersion"]);
    },
    [
      [undefined, undefined],
      ["0.3", undefined],
    ],
    { tolerance: "members of 0.3 on the card for those who do not name 1.0" },
  ),
  row("card-for-everybody", async (agent) => typeof (await agent.card())["url"], ["undefined", "string"], {
    tolerance: "members of 0.3 on the card",
  }),
  row(
    "silent-about-0.3",
    async (agent) => ((await agent.card())["supportedInterfaces"] as JsonObject[]).length,
    [5, 3],
  ),
  row(
    "method-names-decide",
    async (agent) => {
      const { text } = await agent.post({ jsonrpc: "2.0", id: 1, method: "tasks/get", params: { id: "none" } });
      const { code, data } = (JSON.parse(text) as { error: JsonObject }).error;
      return [code, typeof data];
    },
    [
      [-32601, "object"],
      [-32001, "string"],
    ],
  ),
];

const listing = async () => JSON.parse((await plain(`${bed.url}/variants`)).text) as { id: string; base: string }[];
const baseOf = async (id: string) => (await listing()).find((entry) => entry.id === id)!.base.slice(1);

test("GET /variants lists every variant, and each has its row here", async () => {
  // Those that speak nothing newer than 0.3 are older-variants.test.ts's; bad surroundings have a folder of their own.
  const isSurrounding = (id: string) => variantRows.some((each) => each.id === id);
  const newer = (await listing()).filter(({ id, base }) => !/^\/spec0\d$/.test(base) && !isSurrounding(id));
  // Those that do one thing, whatever is said to them, are natures.test.ts's and moody.test.ts's.
  const ofOneKind = ["short-tasks", "long-tasks", "asks-back", "streams-tasks", "notifies", "moody"];
  expect(newer.map(({ id }) => id).sort()).toEqual([...rows.map(({ id }) => id), ...ofOneKind].sort());
});

const credentials = (base: string) => (base === "secure" ? { Authorization: "Bearer alice-token" } : {});

// What the work is: a task with its result, and a stream of four chunks.

const result = "[task-lifecycle] Processed: task-lifecycle hi";
const chunks = [1, 2, 3, 4].map((chunk) => `[streaming] Chunk ${chunk}: streaming hi\n`);

/** The texts that a stream brings: in its updates, or in the Task that closes it. */
function textsIn(events: readonly ReturnType<typeof JSON.parse>[]): string[] {
  const updated = events.flatMap(({ artifactUpdate }) => artifactUpdate?.artifact.parts[0].text ?? []);
  const closing: Task | undefined = events.at(-1).task;
  return updated.length ? updated : (closing?.artifacts ?? []).flatMap(({ parts }) => parts.map(({ text }) => text!));
}

const clients = createPeerClients({
  guard: createEgressGuard({ allowLoopback: true, allowPrivate: false, allowHosts: [] }),
  userAgent: "assay-e2e",
});
afterAll(() => clients.close());

/** `npm test` tries one binding for each variant, in turn. */
const oneOf = <Binding>(bindings: readonly Binding[], place: number): readonly Binding[] =>
  provesAll ? bindings : [bindings[place % bindings.length]!];
/** And one of the two clients. */
const ifTurn = <Binding>(client: 0 | 1, turn: number, bindings: readonly Binding[]): readonly Binding[] =>
  provesAll || turn % 2 === client ? oneOf(bindings, turn >> 1) : [];
const placed = rows.map((each, place) => ({ ...each, place }));

describe.each(placed)("$id", ({ id, place: turn, see, usual, odd, tolerance, forgets, refuses, sdkFails }) => {
  test("is odd", async () => {
    const base = await baseOf(id);
    expect(await see(new Subject(bed.url, base, base))).toEqual(usual);
    expect(await see(new Subject(bed.url, `variants/${id}`, base))).toEqual(odd);
  });

  if (refuses) return;

  test("fits the schema", async () => {
    const agent = new Subject(bed.url, `variants/${id}`, await baseOf(id));
    const fits = (message: Parameters<typeof validate>[0], json: unknown) =>
      tolerance === undefined ? validate(message, json) : (read(message, json).violations ?? []);
    // As clients of 1.0 ask for it.
    const { text: card } = await agent.get("/.well-known/agent-card.json");
    expect(fits("AgentCard", JSON.parse(card))).toEqual([]);
    for (const binding of oneOf(both, turn)) {
      const sent = await agent.ask<{ task: Task }>("SendMessage", sending("task-lifecycle hi"), { binding });
      expect(fits("SendMessageResponse", sent)).toEqual([]);
      const { id: taskId, contextId } = sent.task;
      if (!forgets) expect(fits("Task", await agent.ask("GetTask", { id: taskId }, { binding }))).toEqual([]);
      // In others stands what clients said, which some take although it does not fit.
      const list = await agent.ask("ListTasks", contextId === undefined ? {} : { contextId }, { binding });
      expect(fits("ListTasksResponse", list)).toEqual([]);
      const { events } = await agent.events("SendStreamingMessage", sending("streaming hi"), { binding });
      expect(events.flatMap((event) => fits("StreamResponse", event))).toEqual([]);
    }
  });

  const sdkTest = sdkFails === undefined ? test : test.fails;

  sdkTest.each(ifTurn(0, turn, both))(
    `@a2a-js/sdk 1.3.0 gets its work done over %s${sdkFails ? `: no, ${sdkFails}` : ""}`,
    async (binding) => {
      const base = await baseOf(id);
      const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, { preferredTransports: [binding] });
      const client = await new ClientFactory(options).createFromUrl(`${bed.url}/variants/${id}/`);
      const request = (text: string) => SendMessageRequest.fromJSON({ message: say(text) });
      const calling = { serviceParameters: credentials(base) };
      const task = SdkTask.toJSON((await client.sendMessage(request("task-lifecycle hi"), calling)) as SdkTask) as Task;
      expect([task.status.state, task.artifacts?.[0]?.parts[0]?.text]).toEqual(["TASK_STATE_COMPLETED", result]);
      const events = (await collect(client.sendMessageStream(request("streaming hi"), calling))).map(
        (event) => StreamResponse.toJSON(event) as ReturnType<typeof JSON.parse>,
      );
      expect(textsIn(events)).toEqual(chunks);
      const last = events.at(-1);
      expect((last.statusUpdate ?? last.task).status.state).toBe("TASK_STATE_COMPLETED");
    },
  );

  const every = ["JSONRPC", "HTTP+JSON", "GRPC"] as const;
  test.each(ifTurn(1, turn, every))("our own client gets its work done over %s", async (binding) => {
    const base = await baseOf(id);
    const name = `variants/${id}`;
    const place =
      binding === "GRPC"
        ? { url: new URL(bed.url).host, binding, dialect: "1.0" as const, tenant: name }
        : { url: `${bed.url}/${name}`, binding, dialect: "1.0" as const };
    const peer = createPeer(clients, place, Object.entries(credentials(base)));
    const { exchange: _exchange, ...answer } = await peer.call("SendMessage", sending("task-lifecycle hi"));
    expect(answer).toMatchObject({
      is: "value",
      value: { task: { status: { state: "TASK_STATE_COMPLETED" }, artifacts: [{ parts: [{ text: result }] }] } },
    });
    const { events } = await peer.stream("SendStreamingMessage", sending("streaming hi"));
    const heard = (await collect(events)).map((event) => (event.is === "value" ? event.value : event)) as ReturnType<
      typeof JSON.parse
    >[];
    expect(textsIn(heard)).toEqual(chunks);
    const last = heard.at(-1);
    expect((last.statusUpdate ?? last.task).status.state).toBe("TASK_STATE_COMPLETED");
  });
});
