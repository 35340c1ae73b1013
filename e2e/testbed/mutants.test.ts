import { startTestbed } from "@assay/agents";
import type { JsonObject, ListTasksResponse, Message, Task, TaskPushNotificationConfig } from "@assay/protocol";
import { verifyCard } from "@assay/protocol/signature";
import { checks } from "@assay/suite";
import type { ServiceError } from "@grpc/grpc-js";
import { describe, expect, test } from "vitest";
import { onTask, quickly, type Stream, Subject, startHook } from "../fixtures/subject.fixture.ts";
import { plain, say, sending, speaking10, unknownTask, until, useTestbed } from "../fixtures/testbed.fixture.ts";

// Every mutant is seen to misbehave where its base behaves, and to behave like its base elsewhere.

const bed = useTestbed();

interface Row {
  readonly id: string;
  /** a request, or a few, and what there is to see */
  readonly see: (agent: Subject) => Promise<unknown>;
  /** what is seen at the base, and at the mutant */
  readonly right: unknown;
  readonly wrong: unknown;
  /** where both must be alike; an ordinary conversation, unless that is where the misbehaviour shows */
  readonly alike?: (agent: Subject) => Promise<unknown>;
}

const row = (id: string, see: Row["see"], [right, wrong]: readonly [unknown, unknown], alike?: Row["alike"]): Row => ({
  id,
  see,
  right,
  wrong,
  ...(alike ? { alike } : {}),
});

// What there is to see, in a few words.

const both = ["JSONRPC", "HTTP+JSON"] as const;

/** The text of a direct message on both bindings. */
const chat = (agent: Subject) =>
  Promise.all(
    both.map(async (binding) => {
      const { message } = await agent.ask<{ message: Message }>("SendMessage", sending("message-only hi"), { binding });
      return message.parts;
    }),
  );

/** Ordinary use on both bindings: a message, and a task with its result. */
const usual = async (agent: Subject) => {
  const tasks = both.map(async (binding) => {
    const { task } = await agent.ask<{ task: Task }>("SendMessage", sending("task-lifecycle hi"), { binding });
    return [task.status.state, task.artifacts?.map(({ parts }) => parts)];
  });
  return [await chat(agent), await Promise.all(tasks)];
};

const grpcChat = async (agent: Subject) =>
  (await agent.grpc().ask<{ message: Message }>("SendMessage", sending("message-only hi"))).message.parts;

/** The same in the words of an older version. */
const olderCall = async (agent: Subject, method: string, text: string) => {
  const parts = [{ kind: "text", type: "text", text }];
  const message = { kind: "message", messageId: "m", role: "user", parts };
  const body = { jsonrpc: "2.0", id: 1, method, params: { id: crypto.randomUUID(), message } };
  return JSON.parse((await agent.post(body, {})).text).result as JsonObject;
};
const olderStream = async (agent: Subject, method: string) => {
  const parts = [{ kind: "text", type: "text", text: "task-lifecycle hi" }];
  const message = { kind: "message", messageId: "m", role: "user", parts };
  const body = { jsonrpc: "2.0", id: 1, method, params: { id: crypto.randomUUID(), message } };
  const lines = (await agent.post(body, {})).text.split("\n").filter((line) => line.startsWith("data: "));
  return (JSON.parse(lines.at(-1)!.slice(6)) as { result: JsonObject }).result["final"];
};

const kinds = ({ events }: Stream): string[] =>
  events.map(({ task, statusUpdate, artifactUpdate }) => {
    if (task) return "task";
    return statusUpdate ? statusUpdate.status.state.replace("TASK_STATE_", "") : (artifactUpdate?.artifact.name ?? "");
  });

const stream = (agent: Subject, text: string, more: Parameters<Subject["events"]>[2] = {}) =>
  agent.events("SendStreamingMessage", sending(text), more);

const error = (code: number, reason: string) => ({ code, reason });
const taskNotFound = error(-32001, "TASK_NOT_FOUND");

/** The failure of a gRPC call: its status, its text, and whether it has details. */
const grpcFailure = async (work: Promise<unknown>) => {
  const failed = await work.then(
    () => undefined,
    (thrown: unknown) => thrown as ServiceError,
  );
  const [details] = failed?.metadata.get("grpc-status-details-bin") ?? [];
  return failed && [failed.code, failed.details !== "", details !== undefined];
};

/** A follow-up is the third message: two of the user, one of the agent between them. */
const conversation = async (agent: Subject) => {
  const { id } = await agent.task("multi-turn one");
  await agent.ask("SendMessage", onTask("two", id));
  return id;
};
const historyOf = async (agent: Subject, historyLength?: number) => {
  const id = await conversation(agent);
  const task = await agent.ask<Task>("GetTask", { id, ...(historyLength === undefined ? {} : { historyLength }) });
  return task.history?.map(({ role, parts }) => `${role.slice(5, 6)}:${parts[0]?.text?.slice(0, 12)}`);
};

const listed = async (agent: Subject, more: object = {}, count = 2) => {
  const contextId = crypto.randomUUID();
  const ids: string[] = [];
  for (let n = 0; n < count; n++)
    ids.push((await agent.task("task-lifecycle hi", { message: say("task-lifecycle hi", { contextId }) })).id);
  return { ids, contextId, page: await agent.ask<ListTasksResponse>("ListTasks", { contextId, ...more }) };
};

const alice = { Authorization: "Bearer alice-token" };
const bob = { Authorization: "Bearer bob-token" };
const carol = { Authorization: "Bearer carol-token" };
const anonymous = { Authorization: "" };

const verdictOn = async (agent: Subject) => {
  const { keys } = JSON.parse((await plain(`${agent.origin}/.well-known/jwks.json`)).text) as { keys: JsonObject[] };
  const verdicts = await verifyCard(await agent.card(), async () => keys[0] as never);
  return verdicts.map(({ is }) => is);
};

const hooked = async (agent: Subject, config: object = {}) => {
  const hook = await startHook();
  const configuration = { taskPushNotificationConfig: { url: hook.url, ...config } as TaskPushNotificationConfig };
  await agent.task("task-lifecycle hi", { configuration });
  return until(
    async () => hook.posted,
    ({ length }) => length >= 4,
  );
};

const configs = async (agent: Subject) => {
  const { id: taskId } = await agent.task("multi-turn hi");
  for (const id of ["one", "two"]) {
    await agent.ask("CreateTaskPushNotificationConfig", { taskId, id, url: "http://127.0.0.1:9/hook" });
  }
  return taskId;
};

const rows: readonly Row[] = [
  row("CARD-003.no-name", async (agent) => typeof (await agent.card())["name"], ["string", "undefined"]),
  row(
    "CARD-012.rest",
    async (agent) =>
      ((await agent.card())["supportedInterfaces"] as JsonObject[])
        .filter(({ protocolVersion }) => protocolVersion === "1.0")
        .map(({ protocolBinding }) => protocolBinding),
    [
      ["JSONRPC", "HTTP+JSON", "GRPC"],
      ["JSONRPC", "REST", "GRPC"],
    ],
  ),
  row(
    "CARD-014.relative-url",
    async (agent) => {
      const [first] = (await agent.card())["supportedInterfaces"] as JsonObject[];
      return String(first!["url"]).replace(agent.url, "<url>");
    },
    ["<url>", "/mutants/CARD-014.relative-url"],
  ),
  row("CARD-020.same-id", async (agent) => ((await agent.card())["skills"] as JsonObject[]).map(({ id }) => id), [
    ["message-only", "task-lifecycle"],
    ["default", "default"],
  ]),
  row(
    "CARD-037.undefined-scheme",
    async (agent) => {
      const { securitySchemes, securityRequirements } = (await agent.card()) as {
        securitySchemes: JsonObject;
        securityRequirements: { schemes: JsonObject }[];
      };
      const named = securityRequirements.flatMap(({ schemes }) => Object.keys(schemes));
      return named.filter((name) => !(name in securitySchemes));
    },
    [[], ["bearerAuth"]],
  ),

  row(
    "CACHE-001.no-store",
    async (agent) => (await agent.get("/.well-known/agent-card.json")).headers["cache-control"],
    ["public, max-age=60", "no-store"],
  ),
  row(
    "CACHE-004.always-304",
    async (agent) => (await agent.get("/.well-known/agent-card.json", { "If-None-Match": '"an-old-one"' })).status,
    [200, 304],
    async (agent) => {
      const { etag = "" } = (await agent.get("/.well-known/agent-card.json")).headers;
      return (await agent.get("/.well-known/agent-card.json", { "If-None-Match": etag })).status;
    },
  ),

  row("SIG-013.der", verdictOn, [["valid"], ["malformed"]]),
  row("SIG-014.added-later", verdictOn, [["valid"], ["invalid"]]),

  row("XCARD-003.open", async (agent) => (await agent.get("/extendedAgentCard")).status, [401, 200]),
  ...(["XCARD-005.delta", "XCARD-008.public"] as const).map((id) =>
    row(
      id,
      async (agent) => {
        const { headers, text } = await agent.get("/extendedAgentCard", {
          ...speaking10,
          Authorization: "Bearer agentbin-test-token",
        });
        const card = JSON.parse(text) as { name?: string; skills: unknown[] };
        return [headers["cache-control"], card.name !== undefined, card.skills.length];
      },
      [
        ["private, no-store", true, 9],
        id === "XCARD-005.delta" ? ["private, no-store", false, 1] : ["public, max-age=3600", true, 9],
      ],
    ),
  ),

  row(
    "SEND-008.takes-it",
    async (agent) => {
      const { id } = await agent.task("task-lifecycle hi");
      const { task, ...refused } = await agent.ask<{ task?: Task }>("SendMessage", onTask("task-lifecycle again", id));
      return task ? [task.id === id, task.status.state] : refused;
    },
    [error(-32004, "UNSUPPORTED_OPERATION"), [true, "TASK_STATE_COMPLETED"]],
  ),
  row(
    "SEND-010.never-waits",
    async (agent) => (await agent.task("slow 1")).status.state,
    ["TASK_STATE_COMPLETED", expect.stringMatching(/SUBMITTED|WORKING/)],
    chat,
  ),
  row("SEND-012.always-waits", async (agent) => (await agent.task("slow 10", quickly)).status.state, [
    expect.stringMatching(/SUBMITTED|WORKING/),
    "TASK_STATE_COMPLETED",
  ]),
  row(
    "SEND-020.as-the-user",
    async (agent) => {
      const message = say("message-only hi");
      const answer = (await agent.ask<{ message: Message }>("SendMessage", { message })).message;
      return [answer.role, answer.messageId === message.messageId];
    },
    [
      ["ROLE_AGENT", false],
      ["ROLE_USER", true],
    ],
  ),

  row("STREAM-003.status-first", async (agent) => kinds(await stream(agent, "task-lifecycle hi")), [
    ["task", "WORKING", "result", "COMPLETED"],
    ["WORKING", "result", "COMPLETED"],
  ]),
  row(
    "STREAM-005.stays-open",
    async (agent) => {
      const heard = await stream(agent, "task-lifecycle hi", { patienceMs: agent.isBase ? 60_000 : 3_000 });
      return [kinds(heard).at(-1), heard.ended];
    },
    [
      ["COMPLETED", true],
      ["COMPLETED", false],
    ],
  ),
  row("STREAM-006.no-ending", async (agent) => kinds(await stream(agent, "task-lifecycle hi")), [
    ["task", "WORKING", "result", "COMPLETED"],
    ["task", "WORKING", "result"],
  ]),
  row(
    "STREAM-007.late-status",
    async (agent) => kinds(await stream(agent, "task-lifecycle hi", { binding: "HTTP+JSON" })),
    [
      ["task", "WORKING", "result", "COMPLETED"],
      ["task", "WORKING", "result", "COMPLETED", "WORKING"],
    ],
  ),
  row(
    "STREAM-013.dies-with-client",
    async (agent) => {
      const { events } = await stream(agent, "slow 10", { leaveAfter: 1 });
      return agent.ending(events[0]!.task!.id);
    },
    ["TASK_STATE_COMPLETED", "TASK_STATE_CANCELED"],
  ),
  row(
    "STREAM-019.no-context",
    async (agent) => {
      const { events } = await stream(agent, "task-lifecycle hi");
      const { contextId } = events[0]!.task!;
      return events.slice(1).map(({ statusUpdate, artifactUpdate }) => {
        return (statusUpdate ?? artifactUpdate)!.contextId === contextId;
      });
    },
    [
      [true, true, true],
      [false, false, false],
    ],
  ),
  row(
    "STREAM-020.one-burst",
    async (agent) => {
      // At work for longer than anybody waits here.
      const listening = { leaveAfter: 2, patienceMs: agent.isBase ? 60_000 : 1_000 };
      return (await stream(agent, "slow 600", listening)).events.length > 0;
    },
    [true, false],
  ),
  row(
    "STREAM-022.every-chunk-last",
    async (agent) =>
      (await stream(agent, "chunks 3")).events.flatMap(({ artifactUpdate }) => artifactUpdate?.lastChunk ?? []),
    [[true], [true, true, true]],
  ),

  row(
    "GET-001.no-artifacts",
    async (agent) => {
      const { id } = await agent.task("task-lifecycle hi");
      return (await agent.ask<Task>("GetTask", { id }, { binding: "HTTP+JSON" })).artifacts?.length;
    },
    [1, undefined],
  ),
  row("GET-002.empty", (agent) => agent.ask("GetTask", { id: unknownTask }), [taskNotFound, {}]),
  row(
    "GET-003.stack-trace",
    async (agent) => {
      const { text } = await agent.hear("JSONRPC", "GetTask", {});
      return [JSON.parse(text).error.code, /\n\s+at /.test(JSON.parse(text).error.message)];
    },
    [
      [-32602, false],
      [-32603, true],
    ],
    (agent) => agent.ask("GetTask", { id: unknownTask }),
  ),

  row(
    "HIST-001.pairs",
    async (agent) => (await historyOf(agent, 1))?.length,
    [1, 2],
    (agent) => historyOf(agent),
  ),
  row(
    "HIST-002.first-ones",
    (agent) => historyOf(agent, 1),
    [["U:two"], ["U:multi-turn o"]],
    (agent) => historyOf(agent),
  ),
  row(
    "HIST-003.zero-is-all",
    async (agent) => (await historyOf(agent, 0))?.length,
    [undefined, 3],
    (agent) => historyOf(agent, 1),
  ),

  row(
    "LIST-003.no-token",
    async (agent) => (await listed(agent)).page.nextPageToken,
    ["", undefined],
    async (agent) => (await listed(agent, { pageSize: 1 })).page.nextPageToken.length > 0,
  ),
  row("LIST-006.page-count", async (agent) => (await listed(agent, { pageSize: 1 })).page.totalSize, [2, 1]),
  row(
    "LIST-013.oldest-first",
    async (agent) => {
      const { ids, page } = await listed(agent);
      return page.tasks.map(({ id }) => ids.indexOf(id));
    },
    [
      [1, 0],
      [0, 1],
    ],
  ),
  row(
    "LIST-015.every-context",
    async (agent) => {
      await agent.task("task-lifecycle elsewhere");
      const { page, contextId } = await listed(agent);
      return page.tasks.every((task) => task.contextId === contextId);
    },
    [true, false],
  ),
  row(
    "LIST-019.artifacts-unasked",
    async (agent) => (await listed(agent)).page.tasks.map(({ artifacts }) => artifacts?.length),
    [
      [undefined, undefined],
      [1, 1],
    ],
    async (agent) => (await listed(agent, { includeArtifacts: true })).page.tasks.length,
  ),

  row(
    "CANCEL-002.ended-too",
    async (agent) => {
      const { id } = await agent.task("task-lifecycle hi");
      const { status, ...refused } = await agent.ask<Task>("CancelTask", { id });
      return status?.state ?? refused;
    },
    [error(-32002, "TASK_NOT_CANCELABLE"), "TASK_STATE_COMPLETED"],
  ),
  row("CANCEL-003.not-cancelable", (agent) => agent.ask("CancelTask", { id: unknownTask }), [
    taskNotFound,
    error(-32002, "TASK_NOT_CANCELABLE"),
  ]),
  row(
    "CANCEL-005.runs-on",
    async (agent) => {
      const { id } = await agent.task("slow 10", quickly);
      return [(await agent.ask<Task>("CancelTask", { id })).status.state, await agent.ending(id)];
    },
    [
      ["TASK_STATE_CANCELED", "TASK_STATE_CANCELED"],
      ["TASK_STATE_CANCELED", "TASK_STATE_COMPLETED"],
    ],
  ),

  row(
    "SUB-001.no-snapshot",
    async (agent) => {
      const { id } = await agent.task("slow 10", quickly);
      return kinds(await agent.events("SubscribeToTask", { id }))[0];
    },
    ["task", expect.stringMatching(/WORKING|result/)],
  ),
  row(
    "SUB-003.replays",
    async (agent) => {
      const { id } = await agent.task("task-lifecycle hi");
      const heard = await agent.events("SubscribeToTask", { id });
      return heard.type === "application/json" ? "refused" : kinds(heard);
    },
    ["refused", ["task"]],
  ),

  row(
    "CTX-002.replaced",
    async (agent) => (await agent.task("", { message: say("task-lifecycle hi", { contextId: "mine" }) })).contextId,
    ["mine", expect.stringMatching(/^[0-9a-f-]{36}$/)],
  ),
  row(
    "CTX-008.new-task",
    async (agent) => {
      const { task, ...refused } = await agent.ask<{ task?: Task }>(
        "SendMessage",
        onTask("task-lifecycle hi", unknownTask),
      );
      return task ? [task.id === unknownTask, task.status.state] : refused;
    },
    [taskNotFound, [false, "TASK_STATE_COMPLETED"]],
  ),
  row(
    "CTX-011.mismatch",
    async (agent) => {
      const { id } = await agent.task("multi-turn hi");
      const { task, ...refused } = await agent.ask<{ task?: Task }>("SendMessage", onTask("done", id, "another"));
      return task?.status.state ?? refused;
    },
    [error(-32602, "INVALID_PARAMS"), "TASK_STATE_COMPLETED"],
  ),

  row(
    "PUSH-001.takes-it",
    async (agent) => {
      const { id: taskId } = await agent.task("task-lifecycle hi");
      const answer = await agent.ask("CreateTaskPushNotificationConfig", { taskId, url: "http://127.0.0.1:9/" });
      return answer["code"] ?? answer["url"];
    },
    [-32003, "http://127.0.0.1:9/"],
  ),
  row(
    "PUSH-010.first-one",
    async (agent) =>
      (await agent.ask("GetTaskPushNotificationConfig", { taskId: await configs(agent), id: "two" }))["id"],
    ["two", "one"],
  ),
  row(
    "PUSH-016.kept",
    async (agent) => {
      const taskId = await configs(agent);
      const answer = await agent.ask("DeleteTaskPushNotificationConfig", { taskId, id: "one" });
      const left = await agent.ask<{ configs: JsonObject[] }>("ListTaskPushNotificationConfigs", { taskId });
      return [answer, left.configs.map(({ id }) => id)];
    },
    [
      [{}, ["two"]],
      [{}, ["one", "two"]],
    ],
  ),
  row("PUSH-022.bare", async (agent) => (await hooked(agent)).map(({ body }) => Object.keys(body)[0]), [
    ["task", "statusUpdate", "artifactUpdate", "statusUpdate"],
    ["id", "taskId", "taskId", "taskId"],
  ]),
  row(
    "PUSH-024.always-bearer",
    async (agent) => {
      const posted = await hooked(agent, { authentication: { scheme: "Basic", credentials: "dTpw" } });
      return posted[0]!.headers.authorization;
    },
    ["Basic dTpw", "Bearer dTpw"],
    async (agent) => (await hooked(agent, { token: "t" })).map(({ headers }) => headers["x-a2a-notification-token"]),
  ),
  row("PUSH-025.form", async (agent) => (await hooked(agent))[0]!.headers["content-type"], [
    "application/a2a+json",
    "application/x-www-form-urlencoded",
  ]),

  row(
    "ERR-009.names-the-owner",
    async (agent) => {
      const { id } = await agent.task("task-lifecycle hi");
      const { text } = await agent.hear("JSONRPC", "GetTask", { id }, bob);
      return /\balice\b/.test(text);
    },
    [false, true],
    (agent) => agent.ask("GetTask", { id: unknownTask }, { headers: bob }),
  ),
  row(
    "ERR-029.internal",
    async (agent) => {
      const { id } = await agent.task("task-lifecycle hi");
      return agent.ask("CancelTask", { id }, { binding: "HTTP+JSON" });
    },
    [error(400, "TASK_NOT_CANCELABLE"), error(500, "INTERNAL_ERROR")],
  ),

  row(
    "JSONRPC-002.text",
    async (agent) => (await agent.hear("JSONRPC", "SendMessage", sending("message-only hi"))).headers["content-type"],
    ["application/json", "text/plain"],
    async (agent) => (await agent.hear("HTTP+JSON", "SendMessage", sending("message-only hi"))).headers["content-type"],
  ),
  row(
    "JSONRPC-004.id-as-text",
    async (agent) => {
      const call = { jsonrpc: "2.0", id: 7, method: "SendMessage", params: sending("message-only hi") };
      return (JSON.parse((await agent.post(call)).text) as JsonObject)["id"];
    },
    [7, "7"],
  ),
  row(
    "JSONRPC-006.html",
    async (agent) => {
      const { status, text } = await agent.post({ jsonrpc: "2.0", id: 7, method: "NoSuchMethod", params: {} });
      return [status, text.startsWith("{") ? JSON.parse(text).error.code : text.slice(0, 9)];
    },
    [
      [200, -32601],
      [404, "<!doctype"],
    ],
    (agent) => agent.ask("GetTask", { id: unknownTask }),
  ),
  row(
    "JSONRPC-012.object",
    async (agent) => {
      const { error } = JSON.parse((await agent.hear("JSONRPC", "GetTask", { id: unknownTask })).text);
      return [error.code, Array.isArray(error.data) ? error.data[0].reason : error.data];
    },
    [
      [-32001, "TASK_NOT_FOUND"],
      [-32001, { reason: "TASK_NOT_FOUND" }],
    ],
    (agent) => agent.ask("GetTask", { id: unknownTask }, { binding: "HTTP+JSON" }),
  ),
  row(
    "JSONRPC-017.bare",
    async (agent) => Object.keys(JSON.parse(/^data: (.*)$/m.exec((await stream(agent, "task-lifecycle hi")).raw)![1]!)),
    [["jsonrpc", "id", "result"], ["task"]],
    async (agent) => kinds(await stream(agent, "task-lifecycle hi", { binding: "HTTP+JSON" })),
  ),
  row(
    "JSONRPC-018.one-newline",
    async (agent) => {
      const { raw } = await stream(agent, "task-lifecycle hi");
      return [raw.match(/^data: /gm)?.length, raw.match(/\n\n/g)?.length ?? 0];
    },
    [
      [4, 4],
      [4, 0],
    ],
    async (agent) => kinds(await stream(agent, "task-lifecycle hi", { binding: "HTTP+JSON" })),
  ),

  row(
    "REST-005.colon",
    async (agent) => {
      const { id } = await agent.task("task-cancel hi", quickly);
      return (await agent.hear("HTTP+JSON", "CancelTask", { id })).status;
    },
    [200, 405],
    async (agent) => {
      const { id } = await agent.task("task-cancel hi", quickly);
      return (await agent.ask<Task>("CancelTask", { id })).status.state;
    },
  ),
  row(
    "REST-020.presence",
    async (agent) => {
      const { contextId } = await listed(agent, {}, 1);
      const page = await agent.ask<ListTasksResponse>(
        "ListTasks",
        { contextId, includeArtifacts: false },
        { binding: "HTTP+JSON" },
      );
      return page.tasks[0]!.artifacts?.length;
    },
    [undefined, 1],
  ),
  row(
    "REST-027.problem",
    async (agent) => {
      const { headers, text } = await agent.hear("HTTP+JSON", "GetTask", { id: unknownTask });
      return [headers["content-type"], Object.keys(JSON.parse(text) as object)];
    },
    [
      ["application/a2a+json", ["error"]],
      ["application/problem+json", ["type", "title", "status", "instance"]],
    ],
  ),
  row(
    "REST-030.short-type",
    async (agent) => {
      const { error } = JSON.parse((await agent.hear("HTTP+JSON", "GetTask", { id: unknownTask })).text);
      return error.details[0]["@type"];
    },
    ["type.googleapis.com/google.rpc.ErrorInfo", "google.rpc.ErrorInfo"],
    (agent) => agent.ask("GetTask", { id: unknownTask }),
  ),
  row(
    "REST-033.enveloped",
    async (agent) => {
      const { raw } = await stream(agent, "task-lifecycle hi", { binding: "HTTP+JSON" });
      return Object.keys(JSON.parse(/^data: (.*)$/m.exec(raw)![1]!) as object);
    },
    [["task"], ["jsonrpc", "id", "result"]],
  ),

  row(
    "GRPC-004.shifted",
    async (agent) => Object.keys(await agent.grpc().ask("SendMessage", sending("task-lifecycle hi"))),
    [["task"], []],
    async (agent) => {
      const { id } = await agent.task("task-lifecycle hi");
      return (await agent.grpc().ask<Task>("GetTask", { id })).status.state;
    },
  ),
  row(
    "GRPC-005.lists-unchecked",
    async (agent) => {
      const old = agent.grpc({ "A2A-Version": "0.5" });
      return old.ask<{ tasks: Task[] }>("ListTasks", { pageSize: 1 }).then(
        ({ tasks }) => tasks.length,
        (failed: ServiceError) => failed.code,
      );
    },
    [9, 0],
    grpcChat,
  ),
  row(
    "GRPC-008.no-trailers",
    (agent) => grpcFailure(agent.grpc().all("SendStreamingMessage", sending("task-lifecycle hi"))),
    [undefined, [2, true, false]],
    grpcChat,
  ),
  row(
    "GRPC-012.no-details",
    (agent) => grpcFailure(agent.grpc().ask("GetTask", { id: unknownTask })),
    [
      [5, true, true],
      [5, true, false],
    ],
    grpcChat,
  ),
  row(
    "GRPC-013.silent",
    (agent) => grpcFailure(agent.grpc().ask("GetTask", { id: unknownTask })),
    [
      [5, true, true],
      [5, false, true],
    ],
    grpcChat,
  ),
  row(
    "BIND-004.open-grpc",
    (agent) => grpcFailure(agent.grpc(anonymous).ask("SendMessage", sending("message-only hi"))),
    [[16, true, true], undefined],
    async (agent) => (await agent.hear("JSONRPC", "SendMessage", sending("message-only hi"), anonymous)).status,
  ),

  row("DATA-001.snake-case", async (agent) => Object.keys((await agent.task("task-lifecycle hi")).artifacts![0]!), [
    ["artifactId", "name", "parts"],
    ["artifact_id", "name", "parts"],
  ]),
  row(
    "DATA-003.lower-case",
    async (agent) => (await agent.task("multi-turn hi")).status.state,
    ["TASK_STATE_INPUT_REQUIRED", "input-required"],
    chat,
  ),
  row(
    "DATA-005.two-l",
    async (agent) => {
      const { id } = await agent.task("task-cancel hi", quickly);
      return (await agent.ask<Task>("CancelTask", { id })).status.state;
    },
    ["TASK_STATE_CANCELED", "TASK_STATE_CANCELLED"],
  ),
  row("DATA-007.offset", async (agent) => (await agent.task("task-lifecycle hi")).status.timestamp?.slice(23), [
    "Z",
    "+00:00",
  ]),
  row("DATA-021.hex", async (agent) => (await agent.task("data-types hi")).artifacts![2]!.parts[0]!.raw?.slice(0, 8), [
    "PHN2ZyB4",
    "3c737667",
  ]),
  row(
    "DATA-028.latin-1",
    async (agent) => {
      const { task } = await agent.ask<{ task: Task }>("SendMessage", sending("task-lifecycle é"));
      return task.artifacts![0]!.parts[0]!.text?.at(-1);
    },
    ["é", "\ufffd"],
  ),

  row(
    "VER-005.any",
    async (agent) =>
      Promise.all(
        both.map(async (binding) => {
          const answer = await agent.ask("SendMessage", sending("message-only hi"), {
            binding,
            headers: { "A2A-Version": "99.0" },
          });
          return answer["code"] ?? Object.keys(answer)[0];
        }),
      ),
    [
      [-32009, 400],
      ["message", "message"],
    ],
    (agent) => agent.ask("SendMessage", sending("message-only hi"), { headers: { "A2A-Version": "" } }),
  ),
  row(
    "VER-013.streams-unchecked",
    async (agent) => {
      const headers = { "A2A-Version": "99.0" };
      return (await agent.hear("JSONRPC", "SendStreamingMessage", sending("message-only hi"), headers)).headers[
        "content-type"
      ];
    },
    ["application/json", "text/event-stream"],
    (agent) => agent.ask("SendMessage", sending("message-only hi"), { headers: { "A2A-Version": "99.0" } }),
  ),
  row(
    "VER-014.exact-spelling",
    async (agent) => {
      const headers = { "A2A-Version": "", "a2a-version": "1.0" };
      const answer = await agent.ask("SendMessage", sending("message-only hi"), { headers });
      return answer["code"] ?? Object.keys(answer)[0];
    },
    ["message", -32009],
  ),
  row("VER-017.new-names", async (agent) => (await olderCall(agent, "message/send", "task-lifecycle hi"))["status"], [
    { state: "completed", timestamp: expect.any(String) },
    { state: "TASK_STATE_COMPLETED", timestamp: expect.any(String) },
  ]),

  row(
    "EXT-008.decoration",
    async (agent) => {
      const answer = await agent.ask("SendMessage", sending("message-only hi"), { headers: { "A2A-Extensions": "" } });
      return answer["code"] ?? Object.keys(answer)[0];
    },
    [-32008, "message"],
  ),
  row(
    "EXT-011.echoes",
    async (agent) => {
      const headers = { "A2A-Extensions": "urn:assay:extension:timing:v1, urn:example:unheard-of" };
      const heard = await agent.hear("JSONRPC", "SendMessage", sending("message-only hi"), headers);
      return heard.headers["a2a-extensions"];
    },
    ["urn:assay:extension:timing:v1", "urn:assay:extension:timing:v1, urn:example:unheard-of"],
  ),

  row(
    "TEN-005.any",
    async (agent) => {
      const answer = await agent.ask("SendMessage", { tenant: "nowhere", ...sending("message-only hi") });
      return answer["code"] ?? Object.keys(answer)[0];
    },
    [-32602, "message"],
  ),
  row(
    "TEN-006.one-room",
    async (agent) => {
      const { task } = await agent.ask<{ task: Task }>("SendMessage", {
        tenant: "north",
        ...sending("task-lifecycle x"),
      });
      const { status, ...refused } = await agent.ask<Task>("GetTask", { tenant: "south", id: task.id });
      return status?.state ?? refused;
    },
    [taskNotFound, "TASK_STATE_COMPLETED"],
  ),

  row(
    "AUTH-006.anonymous",
    async (agent) => (await agent.hear("HTTP+JSON", "ListTasks", {}, anonymous)).status,
    [401, 200],
    async (agent) => (await agent.hear("HTTP+JSON", "ListTasks", {}, { Authorization: "Bearer wrong" })).status,
  ),
  row(
    "AUTH-007.any-token",
    async (agent) => (await agent.hear("JSONRPC", "ListTasks", {}, { Authorization: "Bearer wrong" })).status,
    [401, 200],
    async (agent) => (await agent.hear("JSONRPC", "ListTasks", {}, anonymous)).status,
  ),
  row(
    "AUTH-009.no-challenge",
    async (agent) => {
      const { status, headers } = await agent.hear("HTTP+JSON", "ListTasks", {}, anonymous);
      return [status, headers["www-authenticate"] !== undefined];
    },
    [
      [401, true],
      [401, false],
    ],
  ),
  row(
    "AUTH-010.always-401",
    async (agent) => (await agent.hear("HTTP+JSON", "CancelTask", { id: unknownTask }, carol)).status,
    [403, 401],
  ),
  row(
    "AUTH-012.global-count",
    async (agent) => {
      const { contextId } = await agent.task("task-lifecycle hi", { headers: alice });
      return (await agent.ask<ListTasksResponse>("ListTasks", { contextId }, { headers: bob })).totalSize;
    },
    [0, 1],
  ),
  row(
    "AUTH-013.knowing-the-id",
    async (agent) => {
      const { id } = await agent.task("task-lifecycle hi", { headers: alice });
      const { status, ...refused } = await agent.ask<Task>("GetTask", { id }, { headers: bob });
      return status?.state ?? refused;
    },
    [taskNotFound, "TASK_STATE_COMPLETED"],
    (agent) => agent.ask("GetTask", { id: unknownTask }, { headers: bob }),
  ),
  row(
    "AUTH-020.quotes-token",
    async (agent) => {
      const headers = { Authorization: "Bearer s3cret" };
      return (await agent.hear("JSONRPC", "ListTasks", {}, headers)).text.includes("s3cret");
    },
    [false, true],
  ),

  row(
    "V03-CARD-001.no-url",
    async (agent) => typeof (await agent.card())["url"],
    ["string", "undefined"],
    (agent) => olderCall(agent, "message/send", "message-only hi").then(({ parts }) => parts),
  ),
  row(
    "V03-DATA-001.no-kind",
    async (agent) => (await olderCall(agent, "message/send", "task-lifecycle hi"))["kind"],
    ["task", undefined],
    (agent) => olderStream(agent, "message/stream"),
  ),
  row(
    "V03-STREAM-004.never-final",
    (agent) => olderStream(agent, "message/stream"),
    [true, false],
    (agent) => olderCall(agent, "message/send", "message-only hi").then(({ parts }) => parts),
  ),
  row(
    "V02-CARD-001.new-name-only",
    async (agent) => (await agent.get("/.well-known/agent.json")).status,
    [200, 404],
    async (agent) => (await agent.get("/.well-known/agent-card.json")).status,
  ),
  row(
    "V01-SEND-001.wrapped",
    async (agent) => Object.keys(await olderCall(agent, "tasks/send", "task-lifecycle hi"))[0],
    ["id", "task"],
    (agent) => olderStream(agent, "tasks/sendSubscribe"),
  ),
  row(
    "V01-STREAM-001.never-final",
    (agent) => olderStream(agent, "tasks/sendSubscribe"),
    [true, false],
    (agent) =>
      olderCall(agent, "tasks/send", "task-lifecycle hi").then(({ status }) => (status as JsonObject)["state"]),
  ),
];

interface Listed {
  readonly id: string;
  readonly path: string;
  readonly base: string;
  readonly does: string;
}
const listing = async (family: string) => JSON.parse((await plain(`${bed.url}/${family}`)).text) as Listed[];

test("GET /mutants lists every mutant, and each is seen to misbehave: here, or by the check of its rule", async () => {
  const all = await listing("mutants");
  const seen = new Set(rows.map(({ id }) => id));
  const checked = new Set(checks.map(({ id }) => id));
  expect(all.map(({ id }) => id).filter((id) => !seen.has(id) && !checked.has(id.split(".", 1)[0]!))).toEqual([]);
  expect([...seen].filter((id) => !all.some((listed) => listed.id === id))).toEqual([]);
  expect(all.find(({ id }) => id === "CARD-003.no-name")).toEqual({
    id: "CARD-003.no-name",
    path: "/mutants/CARD-003.no-name",
    base: "/spec",
    does: "The card has no name.",
  });
});

describe.each(rows)("$id", ({ id, see, right, wrong, alike = usual }) => {
  test("misbehaves where its base behaves, and nowhere else", async () => {
    const base = (await listing("mutants")).find((entry) => entry.id === id)!.base.slice(1);
    const model = new Subject(bed.url, base, base);
    const mutant = new Subject(bed.url, `mutants/${id}`, base);
    expect(await see(model)).toEqual(right);
    expect(await see(mutant)).toEqual(wrong);
    expect(await alike(mutant)).toEqual(await alike(model));
  });
});

test("--mutant puts one in the place of its base", async () => {
  const other = await startTestbed({ host: "127.0.0.1", port: 0, version: "0", mutant: "GET-002.empty" });
  try {
    const agent = new Subject(other.url, "spec", "spec");
    expect(await agent.ask("GetTask", { id: unknownTask })).toEqual({});
    expect(await usual(agent)).toEqual(await usual(new Subject(bed.url, "spec", "spec")));
    expect((await agent.card())["name"]).toBe("Spec Agent (GET-002.empty)");
    // Only its base is replaced: the others are as they were.
    const full = new Subject(other.url, "full", "full");
    expect(await full.ask("GetTask", { id: unknownTask })).toEqual(taskNotFound);
  } finally {
    await other.close(0);
  }
});

test("a mutant that does not exist is refused by name", async () => {
  const starting = startTestbed({ host: "127.0.0.1", port: 0, version: "0", mutant: "GET-002.emty" });
  await expect(starting).rejects.toThrow('Unknown mutant "GET-002.emty"');
});

test("@ asks for an agent on other ground: made from another one, or in another version", async () => {
  const card = async (path: string) => (await plain(`${bed.url}/${path}`)).text;
  expect(JSON.parse(await card("mutants/GET-002.empty@spec03/.well-known/agent-card.json"))).toMatchObject({
    name: "Spec Agent 0.3 (GET-002.empty)",
    protocolVersion: "0.3.0",
    url: `${bed.url}/mutants/GET-002.empty@spec03`,
  });
  expect(JSON.parse(await card("full@0.2/.well-known/agent.json"))).toMatchObject({
    name: "Full Agent",
    url: `${bed.url}/full@0.2/`,
  });
  expect((await plain(`${bed.url}/full@7.0/.well-known/agent.json`)).status).toBe(404);
  // The index shows the agents themselves.
  expect((await plain(`${bed.url}/`, { headers: { accept: "text/html" } })).text).not.toContain("full@0.2");
});
