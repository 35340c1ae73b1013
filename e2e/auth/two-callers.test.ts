import { randomUUID } from "node:crypto";
import type { JsonObject } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { plain, until, useTestbed } from "../fixtures/testbed.fixture.ts";

// Two callers of one agent, in every version, that name everything alike where the version lets them: whatever one of
// them has is not there for the other.

const bed = useTestbed({});

/** How a version writes what the tests ask for. */
interface Wording {
  readonly version: string;
  /** In 0.1 clients choose the ids of their tasks. */
  readonly choosesIds: boolean;
  send(text: string, id: string): [method: string, params: JsonObject];
  readonly ofTask: Readonly<Record<"get" | "cancel" | "resubscribe", (id: string) => [string, JsonObject]>>;
  setHook(id: string, url: string, token: string): [string, JsonObject];
  getHook(id: string): [string, JsonObject];
}

const said = (text: string) => ({
  kind: "message",
  messageId: randomUUID(),
  role: "user",
  parts: [{ kind: "text", text }],
});

const tagged = (version: string): Wording => ({
  version,
  choosesIds: false,
  send: (text) => [
    "message/send",
    { message: said(text), configuration: { blocking: false, acceptedOutputModes: [] } },
  ],
  ofTask: {
    get: (id) => ["tasks/get", { id }],
    cancel: (id) => ["tasks/cancel", { id }],
    resubscribe: (id) => ["tasks/resubscribe", { id }],
  },
  setHook: (taskId, url, token) => [
    "tasks/pushNotificationConfig/set",
    { taskId, pushNotificationConfig: { id: "same", url, token } },
  ],
  getHook: (id) => ["tasks/pushNotificationConfig/get", { id, pushNotificationConfigId: "same" }],
});

const wordings: readonly Wording[] = [
  {
    version: "1.0",
    choosesIds: false,
    send: (text) => [
      "SendMessage",
      {
        message: { messageId: randomUUID(), role: "ROLE_USER", parts: [{ text }] },
        configuration: { returnImmediately: true },
      },
    ],
    ofTask: {
      get: (id) => ["GetTask", { id }],
      cancel: (id) => ["CancelTask", { id }],
      resubscribe: (id) => ["SubscribeToTask", { id }],
    },
    setHook: (taskId, url, token) => ["CreateTaskPushNotificationConfig", { taskId, id: "same", url, token }],
    getHook: (taskId) => ["GetTaskPushNotificationConfig", { taskId, id: "same" }],
  },
  tagged("0.3"),
  tagged("0.2"),
  {
    version: "0.1",
    choosesIds: true,
    send: (text, id) => ["tasks/send", { id, message: { role: "user", parts: [{ type: "text", text }] } }],
    ofTask: {
      get: (id) => ["tasks/get", { id }],
      cancel: (id) => ["tasks/cancel", { id }],
      resubscribe: (id) => ["tasks/resubscribe", { id }],
    },
    setHook: (id, url, token) => ["tasks/pushNotification/set", { id, pushNotificationConfig: { url, token } }],
    getHook: (id) => ["tasks/pushNotification/get", { id }],
  },
];

interface RpcAnswer {
  readonly result?: JsonObject;
  readonly error?: { readonly code: number };
}

/** A caller of /secure in one version. */
function caller(name: string, { version, send, choosesIds }: Wording) {
  const headers = {
    "Content-Type": "application/json",
    Authorization: `Bearer ${name}-token`,
    ...(version === "1.0" ? { "A2A-Version": "1.0" } : {}),
  };
  const call = async ([method, params]: [string, JsonObject]): Promise<RpcAnswer> => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const { text } = await plain(`${bed.url}/secure@${version}`, { method: "POST", headers, body });
    return JSON.parse(text.startsWith("data: ") ? text.slice(6, text.indexOf("\n\n")) : text) as RpcAnswer;
  };
  return {
    call,
    choosesIds,
    /** Begins a task, and gives its id. */
    async begin(text: string, id: string): Promise<string> {
      const { result } = await call(send(text, id));
      return ((result?.["task"] ?? result) as { id: string }).id;
    },
    async stateOf(id: string): Promise<string> {
      const { result } = await call([version === "1.0" ? "GetTask" : "tasks/get", { id }]);
      const { state } = result!["status"] as { state: string };
      return state.replace("TASK_STATE_", "").toLowerCase().replace("_", "-");
    },
  };
}

/** The id of a task that works until it is canceled. In 0.1 a send is answered when its task rests, so it is not waited for. */
async function atWork({ begin, stateOf, choosesIds }: ReturnType<typeof caller>): Promise<string> {
  const begun = begin("slow 600", "same-task");
  const id = choosesIds ? "same-task" : await begun;
  await until(
    () => stateOf(id).catch(() => "not there yet"),
    (state) => state === "working",
  );
  return id;
}

const notFound = { error: { code: -32001 } };

describe.each(wordings)("in $version", (wording) => {
  const [alice, bob] = [caller("alice", wording), caller("bob", wording)];

  test("a caller cannot read or change another caller's webhook or its token", async () => {
    const id = await alice.begin("multi-turn x", "same-hook");
    expect(await alice.call(wording.setHook(id, "http://127.0.0.1:9/alice", "the token of alice"))).toHaveProperty(
      "result",
    );
    const his = wording.choosesIds ? await bob.begin("multi-turn x", "same-hook") : id;
    expect(his).toBe(id);
    const read = await bob.call(wording.getHook(his));
    expect([JSON.stringify(read).includes("alice"), read]).toMatchObject([false, notFound]);
    if (wording.choosesIds) {
      await bob.call(wording.setHook(his, "http://127.0.0.1:9/bob", "the token of bob"));
    } else {
      expect(await bob.call(wording.setHook(his, "http://127.0.0.1:9/bob", "the token of bob"))).toMatchObject(
        notFound,
      );
    }
    const hers = JSON.stringify(await alice.call(wording.getHook(id)));
    expect([hers.includes("127.0.0.1:9/alice"), hers.includes("bob")]).toEqual([true, false]);
    // Not even she is told it again.
    expect(hers).not.toContain("the token of alice");
  });

  test("a caller cannot read, cancel or follow another caller's task", async () => {
    const id = await atWork(alice);
    for (const ask of Object.values(wording.ofTask)) expect(await bob.call(ask(id))).toMatchObject(notFound);
    if (wording.choosesIds) {
      await atWork(bob);
      await bob.call(wording.ofTask.cancel(id));
      expect(await bob.stateOf(id)).toBe("canceled");
    }
    expect(await alice.stateOf(id)).toBe("working");
    await alice.call(wording.ofTask.cancel(id));
    expect(await alice.stateOf(id)).toBe("canceled");
  });
});
