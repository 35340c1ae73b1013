import { isDeepStrictEqual } from "node:util";
import { isEnded, type LooseTask, taskIn } from "../answers/reading.ts";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import type { PromptKind } from "../define/prompt-kind.ts";
import type { Target } from "../define/target.ts";
import { ifMade } from "./sent-calls.ts";
import { follow } from "./sent-message.ts";
import { taskStream } from "./task-stream.ts";

/** An ended task with artifacts, as GetTask shows it. */
interface RichTask {
  readonly task: LooseTask;
  readonly got: Call;
}

/** Uses any task of this run. Only for checks that run last and do not depend on the order of tasks. */
export const taskWithArtifacts = observation<RichTask | undefined>("a task with artifacts", {
  async make(target) {
    const isRich = ({ state, artifacts }: LooseTask): boolean => isEnded(state) && artifacts.length > 0;
    for (const id of [target.knownTask(isRich)?.id, await streamedTask(target)]) {
      const got = id === undefined ? undefined : await target.call("GetTask", { id });
      const task = got && taskIn(got);
      if (task && isRich(task)) return { task, got };
    }
    return undefined;
  },
});

/** Returns a task that only a stream has shown so far. */
const streamedTask = async (target: Target): Promise<string | undefined> =>
  target.facts.streaming ? (await ifMade(target.observe(taskStream)))?.taskId : undefined;

/** A task whose artifacts contain more than text, and GetTask at its end. */
interface TaskWithContent {
  readonly call: Call;
  readonly last: LooseTask | undefined;
}

async function taskWith(target: Target, kind: PromptKind): Promise<TaskWithContent> {
  const call = await target.send(kind);
  const task = taskIn(call);
  return { call, last: task && (await follow(target, task)).last };
}

export const taskWithFile = observation<TaskWithContent>("a task with a file", {
  messages: 1,
  prompts: ["file"],
  rank: 6,
  make: (target) => taskWith(target, "file"),
});

/** Content that the file prompt does not produce; if it does, its task is used. */
const otherContent = (name: string, kind: PromptKind) =>
  observation<TaskWithContent>(name, {
    messages: 1,
    prompts: [kind],
    rank: 10,
    once: true,
    async make(target) {
      const isSame =
        target.hasPrompt("file") && isDeepStrictEqual(target.message(kind).parts, target.message("file").parts);
      return isSame ? target.observe(taskWithFile) : taskWith(target, kind);
    },
  });

export const taskWithFileUrl = otherContent("a task with the address of a file", "fileUrl");

export const taskWithData = otherContent("a task with data", "data");
