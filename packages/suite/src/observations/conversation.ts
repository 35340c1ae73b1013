import type { JsonObject } from "@assay/protocol";
import { observation } from "../observation.ts";
import { heldUp, skipped } from "../obstacle.ts";
import { asObject, asText, describeReply, type LooseTask, messageIn, taskIn } from "../reading.ts";
import type { Talk } from "../talk.ts";
import { follow } from "./settled.ts";
import { ask } from "./unknown-task.ts";

/** A task that waits for an answer of the user, and what it made of one that named another context. */
export interface Asking {
  /** the send, which asked for no history */
  readonly opening: Talk;
  /** as it waits */
  readonly task: LooseTask;
  /** how GetTask showed it so */
  readonly got: Talk;
  /** an answer in the wrong context; absent where the task shows no context, and before 1.0 */
  readonly crossed: Talk | undefined;
  /** the same as a stream, where the agent has streams */
  readonly crossedStream: Talk | undefined;
  /** GetTask after that */
  readonly after: Talk | undefined;
}

export const asking = observation<Asking>({
  name: "a task that asks back",
  messages: 1,
  prompts: ["inputRequired", "followUp"],
  rank: 3,
  async make(lab) {
    const opening = await lab.send("inputRequired", { configuration: { historyLength: 0 } });
    const made = taskIn(opening);
    if (!made) throw notAsked(messageIn(opening) ? "it answered with a message" : describeReply(opening));
    const { last: task, got } = await follow(lab, made);
    if (task?.state !== "TASK_STATE_INPUT_REQUIRED") throw notAsked(`its task is ${task?.state ?? "not to be had"}`);
    // Before 1.0 nothing says what becomes of it: servers that take it for the answer would be through with the task.
    if (!task.contextId || lab.on.dialect !== "1.0") {
      return { opening, task, got, crossed: undefined, crossedStream: undefined, after: undefined };
    }
    const elsewhere = lab.message("followUp", { taskId: task.id, contextId: lab.unknownId() });
    // A message of ours is JSON.
    const params = { message: elsewhere as unknown as JsonObject };
    const crossed = await lab.call("SendMessage", params, { refusable: true });
    const crossedStream = lab.facts.streaming ? await ask(lab, "SendStreamingMessage", params) : undefined;
    return { opening, task, got, crossed, crossedStream, after: await lab.call("GetTask", { id: task.id }) };
  },
});

const notAsked = (because: string) =>
  skipped("prompt", `the agent did not ask back: ${because}`, "prompts.inputRequired in assay.yaml");

/** A question of the agent, answered. */
export interface Conversation {
  readonly opening: Talk;
  /** as it waited */
  readonly asked: LooseTask;
  /** the answer to the question, sent with the task's id alone; it asked for one message of history */
  readonly answer: Talk;
  /** the task as it stands at the end */
  readonly last: LooseTask;
  /** how GetTask was answered at the end */
  readonly got: Talk;
  /** the ids of our messages, the first one first */
  readonly said: readonly string[];
}

export const conversation = observation<Conversation>({
  name: "a conversation",
  messages: 1,
  prompts: ["inputRequired", "followUp"],
  rank: 3,
  uses: [asking],
  async make(lab) {
    const { opening, task: asked, crossed, after } = await lab.observe(asking);
    if (crossed && after && taskIn(after)?.state !== asked.state) {
      throw heldUp("CTX-011", "a message that names the task and another context moves the task", [crossed, after]);
    }
    const answer = await lab.send("followUp", {
      message: { taskId: asked.id },
      configuration: { historyLength: 1 },
    });
    const { last: followed, got } = await follow(lab, asked);
    // One that ended may be gone by now; then the answer is the last that was seen of it.
    const last = followed ?? taskIn(answer);
    if (!last) throw skipped("unstable", `the task is gone after the answer: ${describeReply(got)}`);
    return { opening, asked, answer, last, got, said: [opening, answer].flatMap((talk) => messageIdIn(talk) ?? []) };
  },
});

const messageIdIn = ({ params }: Talk): string | undefined => asText(asObject(params?.["message"])?.["messageId"]);

/** The same task, asked for with and without a limit to its history. */
export interface Histories {
  readonly said: readonly string[];
  readonly all: Talk;
  readonly one: Talk;
  readonly two: Talk;
}

export const histories = observation<Histories>({
  name: "the history of a conversation",
  messages: 0,
  uses: [conversation],
  async make(lab) {
    const { asked, said } = await lab.observe(conversation);
    const [all, one, two] = [
      await lab.call("GetTask", { id: asked.id }),
      await lab.call("GetTask", { id: asked.id, historyLength: 1 }),
      await lab.call("GetTask", { id: asked.id, historyLength: 2 }),
    ];
    return { said, all, one, two };
  },
});
