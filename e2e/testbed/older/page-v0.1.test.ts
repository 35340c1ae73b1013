import type { JsonObject } from "@assay/protocol";
import { expect, test } from "vitest";
import { objections } from "../../../packages/protocol/src/dialects/definitions.fixture.ts";
import { anId, plain, until, useTestbed } from "../../fixtures/testbed.fixture.ts";

// The conversations of the page that introduced 0.1, in its forms.

const bed = useTestbed({ timeScale: 0.05 });

/** The result of JSON.parse. */
type Loose = ReturnType<typeof JSON.parse>;

const post = (method: string, params: JsonObject) =>
  plain(`${bed.url}/spec01`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });

async function call(method: string, params: JsonObject): Promise<Loose> {
  const { result } = JSON.parse((await post(method, params)).text);
  expect(objections("0.1", "Task", result)).toEqual([]);
  return result;
}

const say = (text: string, ...more: JsonObject[]) => ({ role: "user", parts: [{ type: "text", text }, ...more] });
const fresh = () => crypto.randomUUID();
const ended = (id: string): Promise<Loose> =>
  until(
    () => call("tasks/get", { id, historyLength: 10 }),
    ({ status }) => status.state === "completed",
  );
const textOf = ({ parts: [part] }: Loose): string => part.text;

test("a joke is an artifact; the history has more than the question", async () => {
  const id = fresh();
  const sent = await call("tasks/send", { id, message: say("tell me a joke"), metadata: {} });
  expect([sent.id, sent.sessionId, sent.status.state]).toEqual([id, anId, "completed"]);
  expect(sent.artifacts).toEqual([{ index: 0, name: "joke", parts: [{ type: "text", text: expect.any(String) }] }]);
  const got = await call("tasks/get", { id, historyLength: 10, metadata: {} });
  expect(got.artifacts).toEqual(sent.artifacts);
  expect(got.history.map(({ role }: Loose) => role)).toEqual(["user", "agent", "agent"]);
});

test("a request for a phone asks back, and the reply resumes it, also with an id that was used before", async () => {
  const id = fresh();
  const { sessionId } = await call("tasks/send", { id, message: say("tell me a joke") });
  const asks = await call("tasks/send", { id, message: say("request a new phone for me") });
  expect([asks.id, asks.sessionId, asks.status.state, asks.status.message.role]).toEqual([
    id,
    sessionId,
    "input-required",
    "agent",
  ]);
  expect((await call("tasks/get", { id })).status.state).toBe("input-required");
  const again = await call("tasks/send", { id, sessionId, message: say("which are there?") });
  expect(again.status.state).toBe("input-required");
  const done = await call("tasks/send", { id, sessionId, message: say("Android") });
  expect([done.id, done.sessionId, done.status.state]).toEqual([id, sessionId, "completed"]);
  expect([done.artifacts.length, done.artifacts[0].name]).toEqual([1, "order-confirmation"]);
  expect(textOf(done.artifacts[0])).toContain("Android");
  expect(await call("tasks/get", { id })).toEqual(done);
});

test.each(["data", "bytes"])(
  "a PDF under %s is taken, worked on after the answer, and its overview is got later",
  async (member) => {
    const id = fresh();
    const pdf = { type: "file", file: { mimeType: "application/pdf", [member]: "JVBERi0xLjQK" } };
    const message = say("Analyze the attached report and generate high level overview", pdf);
    const sent = await call("tasks/send", { id, sessionId: "s-1", message, metadata: {} });
    expect([sent.sessionId, sent.status.state, sent.status.message.role]).toEqual(["s-1", "working", "agent"]);
    expect(sent.artifacts).toBeUndefined();
    const { artifacts } = await ended(id);
    expect(textOf(artifacts[0])).toContain("application/pdf");
  },
);

test("its media type is on the card", async () => {
  const card = JSON.parse((await plain(`${bed.url}/spec01/.well-known/agent.json`)).text);
  expect(card.defaultInputModes).toContain("application/pdf");
});

test.each<[string, JsonObject, (content: Loose) => void]>([
  [
    "the page's",
    {
      type: "array",
      items: {
        type: "object",
        properties: { ticketNumber: { type: "string" }, description: { type: "string" } },
      },
    },
    (content) => {
      expect(content.length).toBeGreaterThan(1);
      for (const ticket of content)
        expect(ticket).toEqual({ ticketNumber: expect.any(String), description: expect.any(String) });
    },
  ],
  [
    "another",
    { type: "object", properties: { open: { type: "integer" }, urgent: { type: "boolean" } } },
    (content) => expect(content).toEqual({ open: expect.any(Number), urgent: expect.any(Boolean) }),
  ],
])("tickets are listed by the schema in the part's metadata: %s", async (_name, schema, fits) => {
  const id = fresh();
  const part = {
    type: "text",
    text: "Show me a list of my open IT tickets",
    metadata: { mimeType: "application/json", schema },
  };
  const sent = await call("tasks/send", { id, message: { role: "user", parts: [part] }, metadata: {} });
  expect(sent.status).toMatchObject({ state: "working", message: { role: "agent" } });
  expect(sent.status.message.parts[0].metadata).toEqual({ mimeType: "application/json" });
  fits(JSON.parse(textOf(sent.status.message)));
  const { artifacts, history } = await ended(id);
  expect(artifacts[0].parts).toEqual(sent.status.message.parts);
  expect(history.length).toBeGreaterThan(1);
});

test("a document is streamed in sections", async () => {
  const id = fresh();
  const picture = { type: "file", file: { mimeType: "image/png", data: "aGVpZ2h0Cg==" } };
  const message = say("write a long paper describing the attached pictures", picture);
  const { text } = await post("tasks/sendSubscribe", { id, message });
  const events = text.split("\n\n").flatMap((block) => (block ? [JSON.parse(block.slice(6)).result as Loose] : []));
  const told = events.map(({ status, artifact }) =>
    artifact ? [artifact.index, artifact.append ?? false, artifact.lastChunk ?? false] : status.state,
  );
  expect(told).toEqual(["submitted", "working", [0, false, false], [0, true, false], [0, true, true], "completed"]);
  expect(events.map(({ final }) => final === true)).toEqual(events.map((event) => event === events.at(-1)));
});

test("a long task returns as working, and the client polls it", async () => {
  const id = fresh();
  expect((await call("tasks/send", { id, message: say("long-running go") })).status.state).toBe("working");
  expect((await ended(id)).artifacts.length).toBe(5);
});
