import {
  type AgentDefinition,
  artifact,
  intercept,
  type Layers,
  reply,
  type Skill,
  status,
} from "@assay/agents/making";
import { A2AError, bindings, type JsonObject, type Task, type TaskState } from "@assay/protocol";
import { agentOf, doing } from "../stages/agents.ts";

/** The text that good agents of the contract answer with. */
export const word = "the word is K7T2";

/** Creates an agent of version 1.0 with every binding, JSON-RPC first. */
export const agent = (only: Skill, more: Partial<AgentDefinition> = {}): AgentDefinition =>
  agentOf({ dialect: "1.0", binding: "JSONRPC" }, only, {
    name: "Contract agent",
    bindings,
    ...more,
    habits: { missingVersion: true, missingMessageId: true, missingRpcId: true, anyMediaType: true, ...more.habits },
  });

/** Answers with a message. */
export const answering = doing(async function* () {
  yield reply(word);
});

/** Takes a moment and completes a task with an artifact. */
export const completing = doing(async function* ({ clock, signal }) {
  yield status("working");
  await clock.sleep(2_000, signal);
  yield artifact("word", word, { last: true });
  yield status("completed");
});

/** Completes a task whose artifact has a part of every kind. */
export const partful = doing(async function* () {
  yield status("working");
  yield artifact(
    "mixed",
    [
      { text: word },
      { data: { answer: "forty-two", list: [7, 11] } },
      {
        raw: Buffer.from("name,count\nboat,3\n").toString("base64"),
        filename: "boats.csv",
        mediaType: "text/csv",
      },
    ],
    { last: true },
  );
  yield status("completed");
});

/** Works until it is canceled. */
export const endless = doing(async function* ({ clock, signal }) {
  yield status("working");
  try {
    await clock.sleep(600_000, signal);
  } catch {
    yield status("canceled");
  }
});

/** Asks for more input once, then completes. */
export const asking = doing(async function* ({ task }) {
  if (!task) return yield status("input-required", "For how many?");
  yield status("working");
  yield artifact("word", word, { last: true });
  yield status("completed");
});

/** Ends in a state, with a reason. */
export const ending = (state: Parameters<typeof status>[0]): Skill =>
  doing(async function* () {
    yield status("working");
    yield status(state, "There is a reason.");
  });

/** Changes the state that GetTask reports, read by read; after the list, the real state follows. */
export const reporting = (states: readonly TaskState[], onRead: () => void = () => {}): Layers => {
  let reads = 0;
  return {
    operations: intercept(["GetTask"], async ({ proceed }) => {
      const task = (await proceed()).answer as Task;
      const state = states[reads];
      reads += 1;
      onRead();
      if (state === undefined) return { answer: task };
      const { artifacts: _notYet, ...rest } = task;
      return { answer: { ...rest, status: { ...task.status, state } } };
    }),
  };
};

/** Breaks every stream after its first event; the task continues. */
export const breaking = (isBroken: () => boolean = () => true): Layers => ({
  operations: intercept(["SendStreamingMessage", "SubscribeToTask"], async ({ proceed }) => {
    const { events } = await proceed();
    if (!isBroken()) return { events: events! };
    return {
      events: (async function* () {
        for await (const event of events!) {
          yield event;
          // The event must be sent before the connection closes.
          await new Promise((resolve) => setTimeout(resolve, 20));
          throw new Error("the connection is dropped on purpose");
        }
      })(),
    };
  }),
});

/** Rejects every message because of its version. */
export const refusingVersion: Layers = {
  operations: intercept(["SendMessage", "SendStreamingMessage"], async () => {
    throw new A2AError("VersionNotSupported", "This version is not supported.");
  }),
};

/** Changes the list of interfaces on the card. */
export const listing = (change: (listed: readonly JsonObject[], baseUrl: string) => readonly JsonObject[]): Layers => ({
  card: (card, baseUrl) => ({
    ...card,
    // A 1.0 card always lists its interfaces.
    supportedInterfaces: [...change(card["supportedInterfaces"] as JsonObject[], baseUrl)],
  }),
});

/** Lists only the interfaces of these bindings, in this order. */
export const ordered = (...order: readonly string[]): Layers =>
  listing((listed) => order.flatMap((binding) => listed.filter((each) => each["protocolBinding"] === binding)));
