import { fieldsOf, type JsonObject, type ListTasksResponse, type Task } from "@assay/protocol";
import { onTask, quickly, type Subject } from "../fixtures/subject.fixture.ts";
import { say, sending, unknownTask } from "../fixtures/testbed.fixture.ts";

/** How it shows that an agent makes use of a permission: what to ask it, and what there is to see then. */
interface Use {
  readonly see: (agent: Subject) => Promise<unknown>;
  /** what is seen at each of the agents that are said to use it */
  readonly seen: Readonly<Record<string, unknown>>;
}

const interfacesOf = async (agent: Subject) =>
  (await agent.card())["supportedInterfaces"] as readonly { [name: string]: string | undefined }[];

/** What came of it: the member of an answer, or the code of an error. */
const outcome = (answer: JsonObject): unknown => answer["code"] ?? Object.keys(answer)[0];

/** The kinds of answers to a text that was sent a few times. */
async function kindsOf(agent: Subject, text: string): Promise<string[]> {
  const kinds = new Set<string>();
  for (let count = 0; count < 8; count++) kinds.add(String(outcome(await agent.ask("SendMessage", sending(text)))));
  return [...kinds].toSorted();
}

/** What was said in a task of three messages, as the task tells it. */
async function historyOf(agent: Subject): Promise<readonly (string | undefined)[] | undefined> {
  const { id } = await agent.task("multi-turn one");
  await agent.ask("SendMessage", onTask("two", id));
  return (await agent.ask<Task>("GetTask", { id })).history?.map(({ role, parts }) =>
    role === "ROLE_USER" ? parts[0]?.text : "the question",
  );
}

const bearer = (name: string) => ({ headers: { Authorization: `Bearer ${name}-token` } });

const byGet = [
  "GetTaskRequest",
  "ListTasksRequest",
  "SubscribeToTaskRequest",
  "GetTaskPushNotificationConfigRequest",
  "ListTaskPushNotificationConfigsRequest",
] as const;
const single = ["string", "int32", "bool", "timestamp", "TaskState"];

export const uses: Readonly<Record<string, Use>> = {
  "CARD-019": {
    see: async (agent) => {
      const same = (await interfacesOf(agent)).filter(({ url }) => url === agent.url);
      return same.map(({ protocolBinding, protocolVersion }) => `${protocolBinding} ${protocolVersion}`);
    },
    seen: { spec: ["JSONRPC 1.0", "HTTP+JSON 1.0", "JSONRPC 0.3", "HTTP+JSON 0.3"] },
  },

  "SIG-001": {
    see: async (agent) => ((await agent.card())["signatures"] as readonly unknown[] | undefined)?.length ?? 0,
    seen: { spec: 0, full: 1, "variants/two-signatures": 2 },
  },

  "XCARD-006": {
    see: async (agent) => {
      const seenBy = async (name: string) => {
        const { skills } = await agent.ask<{ skills: readonly { id: string }[] }>(
          "GetExtendedAgentCard",
          {},
          bearer(name),
        );
        return skills.some(({ id }) => id === "admin-status");
      };
      return { alice: await seenBy("alice"), carol: await seenBy("carol") };
    },
    seen: { "variants/card-by-rank": { alice: true, carol: false } },
  },

  "SEND-002": {
    see: async (agent) => [await kindsOf(agent, "message-only hi"), await kindsOf(agent, "task-lifecycle hi")],
    seen: {
      echo: [["message"], ["message"]],
      spec: [["message"], ["task"]],
      "variants/moody": [
        ["message", "task"],
        ["message", "task"],
      ],
    },
  },

  "SEND-019": {
    see: async (agent) => {
      const { id, status } = await agent.task("slow 3", quickly);
      return [status.state === "TASK_STATE_COMPLETED", await agent.ending(id)];
    },
    seen: { spec: [false, "TASK_STATE_COMPLETED"] },
  },

  "STREAM-014": {
    see: async (agent) => {
      const { id } = await agent.task("slow 600", quickly);
      const leaving = new AbortController();
      const headers = { "A2A-Version": "1.0" };
      const subscribed = async () =>
        (await fetch(`${agent.url}/tasks/${id}:subscribe`, { method: "POST", headers, signal: leaving.signal })).ok;
      const both = [await subscribed(), await subscribed()];
      leaving.abort();
      return both;
    },
    seen: { spec: [true, true], "variants/one-stream": [true, false] },
  },

  "HIST-005": {
    see: async (agent) => (await historyOf(agent))?.length,
    seen: { spec: 3, "variants/no-history": undefined },
  },

  "LIST-026": {
    see: async (agent) => {
      const contextId = crypto.randomUUID();
      for (let count = 0; count < 3; count++)
        await agent.task("", { message: say("task-lifecycle hi", { contextId }) });
      const { tasks, nextPageToken } = await agent.ask<ListTasksResponse>("ListTasks", { contextId, pageSize: 2 });
      return [tasks.length, nextPageToken !== ""];
    },
    seen: { "variants/short-pages": [1, true] },
  },

  "CTX-003": {
    see: async (agent) =>
      outcome(
        await agent.ask("SendMessage", { message: say("task-lifecycle hi", { contextId: crypto.randomUUID() }) }),
      ),
    seen: { spec: "task", "variants/own-contexts": -32602 },
  },

  "LIFE-006": {
    see: historyOf,
    seen: {
      "variants/no-history": undefined,
      "variants/newest-first": ["two", "the question", "multi-turn one"],
    },
  },

  "VER-012": {
    see: async (agent) => {
      const newer = await agent.ask("SendMessage", sending("message-only hi"));
      const message = {
        kind: "message",
        messageId: "m",
        role: "user",
        parts: [{ kind: "text", text: "message-only hi" }],
      };
      const call = { jsonrpc: "2.0", id: 1, method: "message/send", params: { message } };
      const older = JSON.parse((await agent.post(call, {})).text) as { result: { kind: string } };
      return [outcome(newer), older.result.kind];
    },
    seen: { spec: ["message", "message"], secure: ["message", "message"] },
  },

  "TEN-007": {
    see: async (agent) => {
      const tenants = new Set((await interfacesOf(agent)).map(({ tenant }) => tenant));
      const served = [...tenants].filter((tenant) => tenant !== undefined && tenant !== agent.name);
      const statuses = served.map(async (tenant) => (await agent.hear("HTTP+JSON", "ListTasks", { tenant })).status);
      return [served, await Promise.all(statuses)];
    },
    seen: {
      full: [
        ["north", "south"],
        [200, 200],
      ],
      "variants/odd-tenants": [
        ["north/east", "Süd & West"],
        [200, 200],
      ],
    },
  },

  "AUTH-018": {
    see: async (agent) => {
      const { id } = await agent.task("task-lifecycle hi", bearer("alice"));
      const forBob = await agent.ask("GetTask", { id }, bearer("bob"));
      return forBob["code"] ?? (forBob as unknown as Task).status.state;
    },
    seen: { full: "TASK_STATE_COMPLETED", secure: -32001, "variants/foreign-is-forbidden": -31403 },
  },

  "INTASK-005": {
    see: async (agent) => {
      const { id, status } = await agent.task("auth-required hi");
      return [status.state, await agent.ending(id)];
    },
    seen: { "variants/goes-on-by-itself": ["TASK_STATE_AUTH_REQUIRED", "TASK_STATE_COMPLETED"] },
  },

  "JSONRPC-027": {
    see: async (agent) => {
      const { text } = await agent.hear("JSONRPC", "GetTask", { id: unknownTask });
      return (JSON.parse(text) as { error: { message: string } }).error.message;
    },
    seen: { "variants/own-words": "Das ging leider schief." },
  },

  "REST-026": {
    // There is nothing on which it could show: what is asked for by GET needs single words and numbers alone.
    see: async () =>
      byGet.flatMap((request) => fieldsOf(request).filter(({ repeated, kind }) => repeated || !single.includes(kind))),
    seen: { spec: [] },
  },
};
