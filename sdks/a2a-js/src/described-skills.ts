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
import { now, part, type Skill, said, Teller, text } from "./teller.ts";

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

/** Skills that are not in skills.json, by keyword. A later message can continue some of them. */
interface FurtherSkills {
  readonly skills: Readonly<Record<string, Skill>>;
  readonly goesOn: readonly Skill[];
}

/**
 * Performs the skills of skills.json with the SDK's events. It never calls `bus.finished()`, because the SDK itself
 * decides when a stream ends: it keeps those of interrupted tasks alive.
 */
export class DescribedSkills implements AgentExecutor {
  readonly #interpreter: SkillInterpreter;
  readonly #running = new Map<string, { stop: AbortController; done: Promise<void> }>();
  readonly #contexts = new Map<string, string>();

  readonly #further: FurtherSkills;
  /** further skills of open tasks */
  readonly #open = new Map<string, Skill>();

  constructor(file: SkillsFile, agent: SkilledAgent, further: FurtherSkills = { skills: {}, goesOn: [] }) {
    this.#interpreter = new SkillInterpreter(file, agent, askWithSdk);
    this.#further = further;
  }

  async execute(context: RequestContext, bus: ExecutionEventBus): Promise<void> {
    const { taskId, contextId, userMessage } = context;
    const teller = new Teller(bus, context);
    const busy = this.#running.get(taskId);
    if (busy) {
      // The SDK reads a task's events until one of its turns returns. So this turn has to wait for the other one.
      teller.status(TaskState.TASK_STATE_WORKING, "[noted] still at it");
      return busy.done;
    }
    this.#contexts.set(taskId, contextId);
    const stop = new AbortController();
    const done = this.#turn(context, teller, said(userMessage), stop.signal).finally(() =>
      this.#running.delete(taskId),
    );
    this.#running.set(taskId, { stop, done });
    return done;
  }

  async #turn({ taskId, task }: RequestContext, teller: Teller, words: string, signal: AbortSignal): Promise<void> {
    const keyword = words.trim().split(/\s+/, 1)[0]!.toLowerCase();
    const further = this.#open.get(taskId) ?? this.#further.skills[keyword];
    if (further) {
      if (this.#further.goesOn.includes(further)) this.#open.set(taskId, further);
      return further(teller, words, signal);
    }
    // Every turn begins with its task, including one that continues it.
    if (task) teller.begin();
    return this.#interpreter.run(
      taskId,
      words,
      {
        message: (value) => teller.message(value),
        begin: () => {
          if (!task) teller.begin();
        },
        status: (state, value) => teller.status(states[state], value),
        artifact: (name, parts, more) => teller.artifact(name, parts.map(partOf), more),
      },
      signal,
    );
  }

  async cancelTask(taskId: string, bus: ExecutionEventBus): Promise<void> {
    const running = this.#running.get(taskId);
    if (running) return running.stop.abort();
    // No turn is running: the task waits for its user.
    const status = { state: TaskState.TASK_STATE_CANCELED, message: undefined, timestamp: now() };
    const contextId = this.#contexts.get(taskId) ?? "";
    bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status, metadata: undefined }));
  }
}
