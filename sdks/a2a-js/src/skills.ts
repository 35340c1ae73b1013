import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Artifact, type Message, type Part, Role, type Task, TaskState } from "@a2a-js/sdk";
import { AgentEvent, type AgentExecutor, type ExecutionEventBus, type RequestContext } from "@a2a-js/sdk/server";

/** The skills of the test bed, written as the SDK's own samples are: what they show is the SDK's doing, not ours. */

const part = (content: NonNullable<Part["content"]>, more: Partial<Part> = {}): Part => ({
  content,
  metadata: undefined,
  filename: "",
  mediaType: "",
  ...more,
});
const text = (value: string): Part => part({ $case: "text", value });

const said = ({ parts: [first] }: Message): string => (first?.content?.$case === "text" ? first.content.value : "");

/** What a skill uses to tell what happens to its task. */
class Teller {
  readonly #bus: ExecutionEventBus;
  readonly #context: RequestContext;

  constructor(bus: ExecutionEventBus, context: RequestContext) {
    this.#bus = bus;
    this.#context = context;
  }

  message(value: string): void {
    const { contextId } = this.#context;
    this.#bus.publish(AgentEvent.message(this.#words(value, contextId, "")));
  }

  begin(): void {
    const { task, taskId, contextId, userMessage } = this.#context;
    const fresh: Task = {
      id: taskId,
      contextId,
      status: { state: TaskState.TASK_STATE_SUBMITTED, message: undefined, timestamp: now() },
      artifacts: [],
      history: [userMessage],
      metadata: undefined,
    };
    // Every turn begins with its task, one that goes on as well.
    this.#bus.publish(AgentEvent.task(task ?? fresh));
  }

  status(state: TaskState, value?: string): void {
    const { taskId, contextId } = this.#context;
    const message = value === undefined ? undefined : this.#words(value, contextId, taskId);
    const status = { state, message, timestamp: now() };
    this.#bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status, metadata: undefined }));
  }

  artifact(artifactId: string, parts: Part[], { append = false, lastChunk = true } = {}): void {
    const { taskId, contextId } = this.#context;
    const artifact: Artifact = {
      artifactId,
      name: artifactId,
      description: "",
      parts,
      metadata: undefined,
      extensions: [],
    };
    this.#bus.publish(
      AgentEvent.artifactUpdate({ taskId, contextId, artifact, append, lastChunk, metadata: undefined }),
    );
  }

  #words(value: string, contextId: string, taskId: string): Message {
    return {
      messageId: randomUUID(),
      contextId,
      taskId,
      role: Role.ROLE_AGENT,
      parts: [text(value)],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    };
  }
}

const now = (): string => new Date().toISOString();

type Skill = (tell: Teller, words: string, signal: AbortSignal) => Promise<void> | void;

const lifecycle: Skill = (tell, words) => {
  tell.begin();
  tell.status(TaskState.TASK_STATE_WORKING);
  tell.artifact("result", [text(`[task-lifecycle] Processed: ${words}`)]);
  tell.status(TaskState.TASK_STATE_COMPLETED);
};

const waits = (seconds: (words: string) => number): Skill => {
  return async (tell, words, signal) => {
    tell.begin();
    tell.status(TaskState.TASK_STATE_WORKING, "working on it");
    await sleep(seconds(words) * 1000, undefined, { signal }).catch(() => {});
    if (signal.aborted) return tell.status(TaskState.TASK_STATE_CANCELED);
    tell.artifact("result", [text("done")]);
    tell.status(TaskState.TASK_STATE_COMPLETED);
  };
};

export const skills: Readonly<Record<string, Skill>> = {
  "message-only": (tell, words) => tell.message(`[message-only] You said: ${words}`),
  "task-lifecycle": lifecycle,
  "task-failure": (tell) => {
    tell.begin();
    tell.status(TaskState.TASK_STATE_WORKING);
    tell.status(TaskState.TASK_STATE_FAILED, "[task-failure] as asked");
  },
  "task-cancel": waits(() => 30),
  slow: waits((words) => Number(/\d+/.exec(words)?.[0] ?? 2)),
  "long-running": waits(() => 10),
  "multi-turn": (tell, words) => {
    tell.begin();
    if (!words.includes("done")) return tell.status(TaskState.TASK_STATE_INPUT_REQUIRED, "[multi-turn] And then?");
    tell.artifact("final", [text("[multi-turn] finished")]);
    tell.status(TaskState.TASK_STATE_COMPLETED);
  },
  streaming: async (tell) => {
    tell.begin();
    tell.status(TaskState.TASK_STATE_WORKING, "[streaming] Starting");
    for (let chunk = 1; chunk <= 4; chunk++) {
      await sleep(100);
      tell.artifact("stream-result", [text(`Chunk ${chunk}`)], { append: chunk > 1, lastChunk: chunk === 4 });
    }
    tell.status(TaskState.TASK_STATE_COMPLETED);
  },
  "data-types": (tell) => {
    tell.begin();
    tell.status(TaskState.TASK_STATE_WORKING);
    tell.artifact("text", [text("text")]);
    tell.artifact("data", [part({ $case: "data", value: { nested: { list: [1, 2.5, null] } } })]);
    const svg = Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>");
    tell.artifact("file", [part({ $case: "raw", value: svg }, { filename: "test.svg", mediaType: "image/svg+xml" })]);
    tell.status(TaskState.TASK_STATE_COMPLETED);
  },
  "auth-required": (tell, words) => {
    tell.begin();
    if (!words.startsWith("auth-required")) {
      tell.artifact("receipt", [text("[auth-required] thank you")]);
      return tell.status(TaskState.TASK_STATE_COMPLETED);
    }
    tell.status(TaskState.TASK_STATE_AUTH_REQUIRED, "[auth-required] Please log in.");
  },
  rejected: (tell) => {
    tell.begin();
    tell.status(TaskState.TASK_STATE_REJECTED, "[rejected] no");
  },
};

/** Skills that a later message goes on with. */
const waiting = [skills["multi-turn"]!, skills["auth-required"]!];

/**
 * Hands a message to its skill: that of the task it goes on with, or that of its first word.
 * Nobody calls `bus.finished()`: when a stream ends is left to the SDK, which keeps those of interrupted tasks alive.
 */
export class Skills implements AgentExecutor {
  readonly #running = new Map<string, { stop: AbortController; done: Promise<void> }>();
  readonly #open = new Map<string, { skill: Skill; contextId: string }>();

  async execute(context: RequestContext, bus: ExecutionEventBus): Promise<void> {
    const { taskId, contextId, userMessage } = context;
    const tell = new Teller(bus, context);
    const busy = this.#running.get(taskId);
    if (busy) {
      // The SDK takes a task's events as long as each of its turns lasts: one that returned first would end both.
      tell.status(TaskState.TASK_STATE_WORKING, "[noted] still at it");
      return busy.done;
    }
    const words = said(userMessage);
    const skill =
      this.#open.get(taskId)?.skill ??
      skills[words.trim().split(/\s+/, 1)[0]!.toLowerCase()] ??
      skills["message-only"]!;
    if (waiting.includes(skill)) this.#open.set(taskId, { skill, contextId });
    const stop = new AbortController();
    const done = (async () => skill(tell, words, stop.signal))().finally(() => this.#running.delete(taskId));
    this.#running.set(taskId, { stop, done });
    return done;
  }

  async cancelTask(taskId: string, bus: ExecutionEventBus): Promise<void> {
    const running = this.#running.get(taskId);
    if (running) return running.stop.abort();
    // Nobody works on it any more: it waits for its user.
    const contextId = this.#open.get(taskId)?.contextId ?? "";
    const status = { state: TaskState.TASK_STATE_CANCELED, message: undefined, timestamp: now() };
    bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status, metadata: undefined }));
  }
}
