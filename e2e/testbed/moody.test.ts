import { Message as SdkMessage, Task as SdkTask, SendMessageRequest } from "@a2a-js/sdk";
import { ClientFactory, ClientFactoryOptions } from "@a2a-js/sdk/client";
import { startTestbed } from "@assay/agents";
import { type Message, type Task, validate } from "@assay/protocol";
import type { ServiceError } from "@grpc/grpc-js";
import { describe, expect, onTestFinished, test } from "vitest";
import { onTask, quickly, Subject } from "../fixtures/subject.fixture.ts";
import { collect, say, sending, until } from "../fixtures/testbed.fixture.ts";

// Tests the agent moody as a client sees it. It behaves like an agent with a language model.

const prompt = "Reply with the word OK.";

/** Every test has its own test bed, because the responses depend on earlier messages. */
async function meet({ seed, timeScale = 0.01 }: { seed?: number; timeScale?: number } = {}): Promise<Subject> {
  const bed = await startTestbed({
    host: "127.0.0.1",
    port: 0,
    version: "0",
    timeScale,
    ...(seed === undefined ? {} : { seed }),
  });
  onTestFinished(() => bed.close(0));
  return new Subject(bed.url, "variants/moody", "minimal");
}

/** Returns the result of a prompt without ids and times. */
const mood = ({ task, message }: { task?: Task; message?: Message }) =>
  message
    ? message.parts
    : [task?.status.state, task?.status.message?.parts, task?.artifacts?.map(({ name, parts }) => [name, parts])];

async function moods(agent: Subject, count: number): Promise<unknown[]> {
  const all: unknown[] = [];
  for (let n = 0; n < count; n++) {
    const binding = n % 2 ? "HTTP+JSON" : "JSONRPC";
    const answer = await agent.ask<{ task?: Task; message?: Message }>("SendMessage", sending(prompt), { binding });
    expect(validate("SendMessageResponse", answer)).toEqual([]);
    all.push(mood(answer));
  }
  return all;
}

describe("chance", () => {
  test("is the same for the same seed in every test bed, and the default seed is 1", async () => {
    const [one, again, usual, two] = await Promise.all(
      [{ seed: 1 }, { seed: 1 }, {}, { seed: 2 }].map(async (options) => moods(await meet(options), 8)),
    );
    expect(again).toEqual(one);
    expect(usual).toEqual(one);
    expect(two).not.toEqual(one);
  });

  test("gives messages, tasks and questions for the same prompt", async () => {
    const kinds = new Set(
      (await moods(await meet(), 25)).map((each) =>
        Array.isArray(each) && typeof each[0] === "string" ? each[0] : "message",
      ),
    );
    expect([...kinds].sort()).toEqual(["TASK_STATE_COMPLETED", "TASK_STATE_INPUT_REQUIRED", "message"]);
  });
});

test("a message takes at least two seconds, scaled like every delay", async () => {
  const agent = await meet({ timeScale: 0.1 });
  for (let n = 0; n < 3; n++) {
    const start = Date.now();
    await agent.ask("SendMessage", sending(prompt));
    expect(Date.now() - start).toBeGreaterThanOrEqual(195);
  }
});

test("streams start with a task or message and end in a final or interrupted state; all events fit the schema", async () => {
  const agent = await meet();
  const sizes = new Set<number>();
  for (let n = 0; n < 12; n++) {
    const { events, ended } = await agent.events("SendStreamingMessage", sending("Tell me about the tides, at length"));
    expect(events.flatMap((event) => validate("StreamResponse", event))).toEqual([]);
    expect(events[0]!.task ?? events[0]!.message).toBeDefined();
    const last = events.at(-1)!;
    expect(last.message ? "message" : last.statusUpdate?.status.state).toMatch(/message|COMPLETED|INPUT_REQUIRED/);
    expect(ended).toBe(true);
    sizes.add(events.length);
  }
  expect(sizes.size).toBeGreaterThan(3);
});

test("a reply to a question completes the task", async () => {
  const agent = await meet();
  const asked = await until(
    async () => (await agent.ask<{ task?: Task }>("SendMessage", sending(prompt))).task,
    (task) => task?.status.state === "TASK_STATE_INPUT_REQUIRED",
  );
  const { task } = await agent.ask<{ task: Task }>("SendMessage", onTask("The second one.", asked!.id));
  expect([task.id, task.status.state]).toEqual([asked!.id, "TASK_STATE_COMPLETED"]);
});

describe("under load", () => {
  /** Three messages keep the agent busy: it works on one, and two wait. */
  const press = (agent: Subject) =>
    Promise.all(Array.from({ length: 3 }, () => agent.ask("SendMessage", sending(prompt))));

  /** Repeatedly sends more at once than the agent accepts. On a busy machine the first may end before the last arrives. */
  async function firstRefusal<Answer>(
    send: () => Promise<Answer>,
    isRefused: (answer: Answer) => boolean,
  ): Promise<Answer> {
    for (;;) {
      const answers = await Promise.all(Array.from({ length: 6 }, send));
      const refusal = answers.find(isRefused);
      if (refusal !== undefined) return refusal;
    }
  }

  test("it returns 429 with Retry-After, and serves again afterwards", async () => {
    const agent = await meet({ timeScale: 0.05 });
    for (const binding of ["JSONRPC", "HTTP+JSON"] as const) {
      const refused = await firstRefusal(
        () => agent.hear(binding, "SendMessage", sending(prompt)),
        ({ status }) => status !== 200,
      );
      const { status, headers, text } = refused;
      const { error } = JSON.parse(text);
      expect([status, headers["retry-after"], error.code]).toEqual([429, "2", binding === "JSONRPC" ? -31429 : 429]);
    }
    const grpc = agent.grpc();
    const overGrpc = await firstRefusal(
      () => grpc.ask("SendMessage", sending(prompt)).catch((error: ServiceError) => error.code),
      (answer) => typeof answer === "number",
    );
    expect(overGrpc).toBe(8);
    const busy = press(agent);
    // Reads do not wait for the model.
    expect((await agent.hear("JSONRPC", "ListTasks", {})).status).toBe(200);
    await busy;
    expect((await agent.hear("JSONRPC", "SendMessage", sending(prompt))).status).toBe(200);
  });

  test("it works on one message at a time", async () => {
    const agent = await meet({ timeScale: 0.1 });
    const start = Date.now();
    await press(agent);
    // Three messages of two seconds each take at least six seconds in sequence.
    expect(Date.now() - start).toBeGreaterThanOrEqual(590);
  });

  test("a waiting task can be canceled at once", async () => {
    // The first moods of this seed are tasks, so the second message waits for the first.
    const agent = await meet({ seed: 5, timeScale: 10 });
    const started = [await agent.task(prompt, quickly), await agent.task(prompt, quickly)];
    // If the cancel had to wait, the first task would have ended and could not be canceled.
    for (const { id } of started.toReversed())
      expect((await agent.ask<Task>("CancelTask", { id })).status.state).toBe("TASK_STATE_CANCELED");
  });
});

test.each(["JSONRPC", "HTTP+JSON"] as const)("@a2a-js/sdk 1.3.0 talks with it over %s", async (binding) => {
  const agent = await meet();
  const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, { preferredTransports: [binding] });
  const client = await new ClientFactory(options).createFromUrl(`${agent.url}/`);
  const request = () => SendMessageRequest.fromJSON({ message: say(prompt) });
  for (let n = 0; n < 6; n++) {
    const answer = await client.sendMessage(request());
    const json = "status" in answer ? SdkTask.toJSON(answer as SdkTask) : SdkMessage.toJSON(answer as SdkMessage);
    expect(JSON.stringify(json)).toMatch(/OK|INPUT_REQUIRED/);
    expect((await collect(client.sendMessageStream(request()))).length).toBeGreaterThan(0);
  }
});
