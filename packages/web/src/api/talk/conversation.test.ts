import { startTestbed, type Testbed } from "@assay/agents";
import type { JsonObject, Task } from "@assay/protocol";
import type { TalkEvent } from "@assay/viewer/documents";
import { createEgressGuard, discoverCard, readFoundCard } from "@assay/wire";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { openWay } from "./agent-way.ts";
import { Conversation } from "./conversation.ts";

let bed: Testbed;
const open: Conversation[] = [];

beforeAll(async () => {
  bed = await startTestbed({ host: "127.0.0.1", port: 0, version: "test", timeScale: 0.05 });
});
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});
afterAll(() => bed.close());

async function talkTo(path: string, token?: string): Promise<Conversation> {
  const url = new URL(`${bed.url}/${path}`);
  const way = openWay({
    url,
    headers: token === undefined ? [] : [["Authorization", `Bearer ${token}`]],
    secrets: token === undefined ? [] : [{ name: "bearer", value: token }],
    connection: { guard: createEgressGuard({ trustedHosts: [url.hostname] }) },
  });
  const { found } = await discoverCard(way.clients.http, url.href, way.headers);
  const conversation = new Conversation("t1", way, found!, await readFoundCard(way.clients.http, found!));
  open.push(conversation);
  return conversation;
}

const message = (text: string, more: object = {}) => ({
  message: { messageId: `m-${text}`, role: "ROLE_USER", parts: [{ text }], ...more },
});

/** The events of the log until one fits. */
async function until({ log }: Conversation, isLast: (event: TalkEvent) => boolean): Promise<TalkEvent[]> {
  const seen: TalkEvent[] = [];
  for await (const event of log.read(AbortSignal.timeout(60_000))) {
    seen.push(event);
    if (isLast(event)) return seen;
  }
  throw new Error(`not seen: ${JSON.stringify(seen)}`);
}

const judged =
  (turn: number) =>
  (event: TalkEvent): boolean =>
    event.is === "judged" && event.turn === turn;
const of = <Is extends TalkEvent["is"]>(events: readonly TalkEvent[], is: Is) =>
  events.filter((event): event is Extract<TalkEvent, { is: Is }> => event.is === is);

test.each([0, 1, 2, 3, 4])(
  "a good agent answers over interface %i of its card, and nothing is held against it",
  async (on) => {
    const talk = await talkTo("spec");
    const turn = await talk.ask({ operation: "SendMessage", request: message("message-only hi"), on });
    const events = await until(talk, judged(turn));
    expect(of(events, "arrived")).toMatchObject([{ violations: [], answer: { message: { role: "ROLE_AGENT" } } }]);
    expect(of(events, "over")).toMatchObject([{ ending: "answered" }]);
    const [verdict] = of(events, "judged");
    expect(verdict?.unjudged).toBeUndefined();
    expect(verdict?.breaches.filter(({ party }) => party === "agent")).toEqual([]);
  },
);

test("a stream that we leave goes on for those who subscribe again", async () => {
  const talk = await talkTo("spec");
  const turn = await talk.ask({ operation: "SendStreamingMessage", request: message("slow 600") });
  const before = await until(talk, (event) => event.is === "arrived");
  talk.disconnect(turn);
  const id = of(before, "arrived")[0]!.events![0]!.task!.id;
  const left = await until(talk, judged(turn));
  expect(of(left, "over")).toMatchObject([{ ending: "left" }]);
  const again = await talk.ask({ operation: "SubscribeToTask", request: { id } });
  await until(talk, (event) => event.is === "arrived" && event.turn === again);
  await talk.ask({ operation: "CancelTask", request: { id } });
  const events = await until(talk, judged(again));
  const states = of(events, "arrived").flatMap(({ turn: each, events: all = [] }) =>
    each === again ? all.map(({ statusUpdate }) => statusUpdate?.status.state) : [],
  );
  expect(states.at(-1)).toBe("TASK_STATE_CANCELED");
  expect(of(events, "judged").flatMap(({ breaches }) => breaches.filter(({ party }) => party === "agent"))).toEqual([]);
});

test("what a faulty agent says is marked at its place", async () => {
  const talk = await talkTo("mutants/DATA-018.nameless");
  const turn = await talk.ask({ operation: "SendMessage", request: message("message-only hi") });
  const events = await until(talk, judged(turn));
  expect(of(events, "arrived")[0]).toMatchObject({
    json: { message: {} },
    violations: [{ path: "$.message.messageId" }],
  });
  expect(of(events, "judged")[0]?.breaches).toContainEqual(
    expect.objectContaining({ party: "agent", rule: "DATA-018", severity: "fail" }),
  );
});

test("tasks are listed, read and cancelled; what a version does not have is refused in words", async () => {
  const talk = await talkTo("spec");
  const begun = await talk.ask({
    operation: "SendMessage",
    request: { ...message("task-cancel hi"), configuration: { returnImmediately: true } },
  });
  const [first] = of(await until(talk, judged(begun)), "arrived");
  const { id } = (first!.answer as unknown as { task: Task }).task;
  const asked = async (operation: "GetTask" | "CancelTask" | "ListTasks", request: object): Promise<unknown> => {
    const turn = await talk.ask({ operation, request: request as JsonObject });
    return of(await until(talk, judged(turn)), "arrived").at(-1)?.answer;
  };
  expect(await asked("GetTask", { id })).toMatchObject({ id });
  expect(await asked("ListTasks", {})).toMatchObject({
    tasks: expect.arrayContaining([expect.objectContaining({ id })]),
  });
  expect(await asked("CancelTask", { id })).toMatchObject({ status: { state: "TASK_STATE_CANCELED" } });
  const older = talk.document.interfaces.findIndex(({ dialect }) => dialect === "0.3");
  await expect(talk.ask({ operation: "ListTasks", request: {}, on: older })).rejects.toThrow(
    "A2A 0.3 has no ListTasks",
  );
});

test("notifications come to a webhook of ours and are read", async () => {
  const talk = await talkTo("full");
  await talk.ask({
    operation: "SendMessage",
    request: { ...message("task-lifecycle hi"), configuration: { returnImmediately: true } },
    push: true,
  });
  const isEnd = (event: TalkEvent): boolean =>
    event.is === "push-arrived" && event.event?.statusUpdate?.status.state === "TASK_STATE_COMPLETED";
  const events = await until(talk, isEnd);
  expect(of(events, "push-opened")[0]?.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\//);
  expect(of(events, "push-arrived").flatMap(({ violations }) => violations)).toEqual([]);
});

test("no output contains a credential", async () => {
  const talk = await talkTo("spec", "very-secret-token");
  const turn = await talk.ask({ operation: "SendMessage", request: message("echo very-secret-token") });
  const events = await until(talk, judged(turn));
  const all = JSON.stringify([talk.document, events, await talk.wires(turn), talk.exchanges]);
  expect(all).not.toContain("very-secret-token");
  expect(all).toContain("«secret:bearer»");
});

test("the same message on every wire", async () => {
  const talk = await talkTo("spec");
  const turn = await talk.ask({ operation: "SendMessage", request: message("message-only hi") });
  await until(talk, judged(turn));
  const views = await talk.wires(turn);
  expect(views.map(({ binding, dialect, used, request }) => [binding, dialect, used, request?.line])).toEqual([
    ["JSONRPC", "1.0", true, expect.stringMatching(/^POST \/spec/)],
    ["HTTP+JSON", "1.0", false, expect.stringMatching(/^POST \/spec.*\/message:send$/)],
    ["GRPC", "1.0", false, "POST /lf.a2a.v1.A2AService/SendMessage"],
    ["JSONRPC", "0.3", false, expect.stringMatching(/^POST \/spec/)],
    ...views.slice(4).map(() => [expect.anything(), expect.anything(), false, expect.anything()]),
  ]);
  expect(JSON.parse(views[3]!.request!.body)).toMatchObject({
    method: "message/send",
    params: { message: { kind: "message" } },
  });
  expect(JSON.parse(views[3]!.answers[0]!)).toMatchObject({ result: { kind: "message" } });
});
