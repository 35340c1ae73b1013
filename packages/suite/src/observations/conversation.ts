import { isDeepStrictEqual } from "node:util";
import { asObject, asText } from "../answers/loose-json.ts";
import { describeReply, type LooseTask, messageIn, taskIn } from "../answers/reading.ts";
import { skippedFor } from "../answers/trouble.ts";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import { heldUp, skipped } from "../define/obstacle.ts";
import type { Target } from "../define/target.ts";
import { sendParams } from "./sending.ts";
import { ifSent } from "./sent-calls.ts";
import { follow } from "./sent-message.ts";
import { ask } from "./unknown-task.ts";
import { untilSeen } from "./until-seen.ts";

/** A task that waits for input, and its reaction to an answer in another context. */
export interface InputRequired {
  /** the message, which asked for no history */
  readonly opening: Call;
  /** the waiting task */
  readonly task: LooseTask;
  /** the GetTask that showed it */
  readonly got: Call;
  /** an answer in the wrong context; absent if the task has no context, and before 1.0 */
  readonly crossed: Call | undefined;
  /** the same as a stream, if the agent streams */
  readonly crossedStream: Call | undefined;
  /** GetTask after that */
  readonly after: Call | undefined;
}

export const inputRequired = observation<InputRequired>("a task that asks for input", {
  messages: 1,
  prompts: ["inputRequired", "followUp"],
  rank: 3,
  async make(target) {
    const opening = await target.send("inputRequired", { configuration: { historyLength: 0 } });
    const made = taskIn(opening);
    if (!made) throw notAsked(messageIn(opening) ? "it returned a message" : describeReply(opening));
    const { last: task, got } = await follow(target, made);
    if (task?.state !== "TASK_STATE_INPUT_REQUIRED") throw notAsked(`its task is ${task?.state ?? "unavailable"}`);
    // Before 1.0 the reaction is undefined: servers that accept the answer would finish the task.
    if (!task.contextId || target.on.dialect !== "1.0") {
      return { opening, task, got, crossed: undefined, crossedStream: undefined, after: undefined };
    }
    const params = sendParams(target, { taskId: task.id, contextId: target.unknownId() }, "followUp");
    const crossed = await ifSent(target.call("SendMessage", params, { refusable: true }));
    const crossedStream = target.facts.streaming
      ? await ifSent(ask(target, "SendStreamingMessage", params))
      : undefined;
    return { opening, task, got, crossed, crossedStream, after: await target.call("GetTask", { id: task.id }) };
  },
});

const notAsked = (because: string) =>
  skipped("prompt", `the agent did not ask for input: ${because}`, "prompts.inputRequired in assay.yaml");

/** A question of the agent, answered. */
export interface AnsweredQuestion {
  readonly opening: Call;
  /** the waiting task */
  readonly asked: LooseTask;
  /** the answer, with only the task's id; it asked for one message of history */
  readonly answer: Call;
  /** the task at the end */
  readonly last: LooseTask;
  /** GetTask at the end */
  readonly got: Call;
  /** the ids of Assay's messages, in order */
  readonly said: readonly string[];
}

export const conversation = observation<AnsweredQuestion>("a conversation", {
  messages: 1,
  prompts: ["inputRequired", "followUp"],
  rank: 3,
  uses: [inputRequired],
  async make(target) {
    const { opening, task: asked, crossed, after } = await target.observe(inputRequired);
    if (crossed && after && taskIn(after)?.state !== asked.state) {
      throw heldUp("CTX-011", "a message that names the task and another context moves the task", [crossed, after]);
    }
    const answer = await target.send("followUp", {
      message: { taskId: asked.id },
      configuration: { historyLength: 1 },
    });
    const { last: followed, got } = await untilSeen(
      target,
      "read",
      () => follow(target, asked),
      ({ last: now }) => !now || !isDeepStrictEqual(now.json["status"], asked.json["status"]),
    );
    // An ended task may be purged by now; then the response is its last known state.
    const last = followed ?? taskIn(answer);
    if (!last) throw skippedFor(got, `the task is missing after the answer: ${describeReply(got)}`);
    // The response may show an earlier state: without the task, its end is unknown.
    if (!followed && isDeepStrictEqual(last.json["status"], asked.json["status"]))
      throw skipped("not-triggered", "the agent does not keep ended tasks");
    return { opening, asked, answer, last, got, said: [opening, answer].flatMap((call) => messageIdIn(call) ?? []) };
  },
});

const messageIdIn = ({ params }: Call): string | undefined => asText(asObject(params?.["message"])?.["messageId"]);

/** The same task, requested with and without a limit to its history. */
export interface Histories {
  readonly said: readonly string[];
  readonly all: Call;
  readonly one: Call;
  readonly two: Call;
  /** without a limit, again */
  readonly again: Call;
}

/** Requests the history of a task that contains these messages of Assay. */
async function historiesOf(target: Target, id: string, said: readonly string[]): Promise<Histories> {
  const [all, one, two, again] = [
    await target.call("GetTask", { id }),
    await target.call("GetTask", { id, historyLength: 1 }),
    await target.call("GetTask", { id, historyLength: 2 }),
    await target.call("GetTask", { id }),
  ];
  return { said, all, one, two, again };
}

/** The histories of any task of this run with two messages; undefined if no task has two. */
export const historiesSeen = observation<Histories | undefined>("the history of a task of this run", {
  async make(target) {
    const task = target.knownTask(({ history }) => history.length > 1);
    return task && historiesOf(target, task.id, []);
  },
});

export const histories = observation<Histories>("the history of a conversation", {
  uses: [conversation],
  async make(target) {
    const { asked, said } = await target.observe(conversation);
    return historiesOf(target, asked.id, said);
  },
});
