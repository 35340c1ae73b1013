import { setTimeout as sleep } from "node:timers/promises";
import { TaskState } from "@a2a-js/sdk";
import { AgentEvent, type AgentExecutor, type ExecutionEventBus, type RequestContext } from "@a2a-js/sdk/server";
import { behaviours, goesOn } from "./acts.ts";
import { now, part, type Skill, said, Teller, text } from "./teller.ts";

/** The skills of the test bed, written as the SDK's own samples are: what they show is the SDK's doing, not ours. */

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
  "long-running": async (tell, _words, signal) => {
    tell.begin();
    for (let step = 1; step <= 5; step++) {
      tell.status(TaskState.TASK_STATE_WORKING, `[long-running] Step ${step}`);
      await sleep(2_000, undefined, { signal }).catch(() => {});
      if (signal.aborted) return tell.status(TaskState.TASK_STATE_CANCELED);
      tell.artifact(`step-${step}`, [text(`Step ${step} of 5`)]);
    }
    tell.status(TaskState.TASK_STATE_COMPLETED);
  },
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
    tell.artifact("mixed", [text("text"), part({ $case: "data", value: { key: "value" } })]);
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
const waiting = [skills["multi-turn"]!, skills["auth-required"]!, ...goesOn];

/**
 * Hands a message to its skill: that of the task it goes on with, or that of its first word.
 * Nobody calls `bus.finished()`: when a stream ends is left to the SDK, which keeps those of interrupted tasks alive.
 */
export class Skills implements AgentExecutor {
  readonly #running = new Map<string, { stop: AbortController; done: Promise<void> }>();
  readonly #open = new Map<string, { skill: Skill; contextId: string }>();
  readonly #otherwise: Skill;

  /** What is done with words that name no skill. */
  constructor(otherwise: Skill = skills["message-only"]!) {
    this.#otherwise = otherwise;
  }

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
    const keyword = words.trim().split(/\s+/, 1)[0]!.toLowerCase();
    const skill = this.#open.get(taskId)?.skill ?? skills[keyword] ?? behaviours[keyword] ?? this.#otherwise;
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
