import { type Part, TaskState } from "@a2a-js/sdk";
import { AgentEvent, type AgentExecutor, type ExecutionEventBus, type RequestContext } from "@a2a-js/sdk/server";
import {
  type SkilledAgent,
  SkillInterpreter,
  type SkillPart,
  type SkillState,
  type SkillsFile,
} from "@assay/sdk-javascript";
import { askWithSdk } from "./relay.ts";
import { now, part, said, Teller, text } from "./teller.ts";

const states: Readonly<Record<SkillState, TaskState>> = {
  working: TaskState.TASK_STATE_WORKING,
  completed: TaskState.TASK_STATE_COMPLETED,
  failed: TaskState.TASK_STATE_FAILED,
  canceled: TaskState.TASK_STATE_CANCELED,
  rejected: TaskState.TASK_STATE_REJECTED,
  "input-required": TaskState.TASK_STATE_INPUT_REQUIRED,
  "auth-required": TaskState.TASK_STATE_AUTH_REQUIRED,
};

function partOf({ text: words, data, raw, filename = "", mediaType = "" }: SkillPart): Part {
  if (words !== undefined) return text(words);
  if (raw !== undefined) return part({ $case: "raw", value: Buffer.from(raw, "base64") }, { filename, mediaType });
  return part({ $case: "data", value: data });
}

/**
 * Does what skills.json says with the SDK's events. Nobody calls `bus.finished()`: when a stream ends is left to the SDK,
 * which keeps those of interrupted tasks alive.
 */
export class DescribedSkills implements AgentExecutor {
  readonly #interpreter: SkillInterpreter;
  readonly #running = new Map<string, { stop: AbortController; done: Promise<void> }>();
  readonly #contexts = new Map<string, string>();

  constructor(file: SkillsFile, agent: SkilledAgent) {
    this.#interpreter = new SkillInterpreter(file, agent, askWithSdk);
  }

  async execute(context: RequestContext, bus: ExecutionEventBus): Promise<void> {
    const { taskId, contextId, userMessage, task } = context;
    const teller = new Teller(bus, context);
    const busy = this.#running.get(taskId);
    if (busy) {
      // The SDK takes a task's events as long as each of its turns lasts: one that returned first would end both.
      teller.status(TaskState.TASK_STATE_WORKING, "[noted] still at it");
      return busy.done;
    }
    this.#contexts.set(taskId, contextId);
    const stop = new AbortController();
    // Every turn begins with its task, one that goes on as well.
    if (task) teller.begin();
    const done = this.#interpreter
      .run(
        taskId,
        said(userMessage),
        {
          message: (words) => teller.message(words),
          begin: () => teller.begin(),
          status: (state, words) => teller.status(states[state], words),
          artifact: (name, parts, more) => teller.artifact(name, parts.map(partOf), more),
        },
        stop.signal,
      )
      .finally(() => this.#running.delete(taskId));
    this.#running.set(taskId, { stop, done });
    return done;
  }

  async cancelTask(taskId: string, bus: ExecutionEventBus): Promise<void> {
    const running = this.#running.get(taskId);
    if (running) return running.stop.abort();
    // Nobody works on it any more: it waits for its user.
    const status = { state: TaskState.TASK_STATE_CANCELED, message: undefined, timestamp: now() };
    const contextId = this.#contexts.get(taskId) ?? "";
    bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status, metadata: undefined }));
  }
}
