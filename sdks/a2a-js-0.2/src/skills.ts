import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Message, Part, Task, TaskState } from "a2a-sdk-0.2";
import type { AgentExecutor, ExecutionEventBus, RequestContext } from "a2a-sdk-0.2/server";

/** The skills of the test bed, written as the SDK's own samples are: what they show is the SDK's doing, not ours. */

const text = (words: string): Part => ({ kind: "text", text: words });

const said = ({ parts: [first] }: Message): string => (first?.kind === "text" ? first.text : "");

/** At these the turn is over; in 0.2 it is the agent, not the SDK, who says so. */
const lastWords: readonly TaskState[] = [
  "completed",
  "failed",
  "canceled",
  "rejected",
  "input-required",
  "auth-required",
];

/** What a skill uses to tell what happens to its task. */
class Teller {
  readonly #bus: ExecutionEventBus;
  readonly #context: RequestContext;

  constructor(bus: ExecutionEventBus, context: RequestContext) {
    this.#bus = bus;
    this.#context = context;
  }

  message(words: string): void {
    this.#bus.publish(this.#words(words, { contextId: this.#context.contextId }));
  }

  /** False where the message goes on with a task that there is already. */
  begin(): boolean {
    const { task, taskId, contextId, userMessage } = this.#context;
    if (task) return false;
    const status = { state: "submitted", timestamp: now() } as const;
    const fresh: Task = { kind: "task", id: taskId, contextId, status, history: [userMessage] };
    this.#bus.publish(fresh);
    return true;
  }

  status(state: TaskState, words?: string): void {
    const { taskId, contextId } = this.#context;
    const message = words === undefined ? {} : { message: this.#words(words, { contextId, taskId }) };
    const status = { state, ...message, timestamp: now() };
    this.#bus.publish({ kind: "status-update", taskId, contextId, status, final: lastWords.includes(state) });
  }

  artifact(artifactId: string, parts: Part[], { append = false, lastChunk = true } = {}): void {
    const { taskId, contextId } = this.#context;
    const artifact = { artifactId, name: artifactId, parts };
    this.#bus.publish({ kind: "artifact-update", taskId, contextId, artifact, append, lastChunk });
  }

  #words(words: string, ids: { contextId: string; taskId?: string }): Message {
    return { kind: "message", messageId: randomUUID(), role: "agent", parts: [text(words)], ...ids };
  }
}

const now = (): string => new Date().toISOString();

type Skill = (tell: Teller, words: string, signal: AbortSignal) => Promise<void> | void;

const waits = (seconds: (words: string) => number): Skill => {
  return async (tell, words, signal) => {
    tell.begin();
    tell.status("working", "working on it");
    await sleep(seconds(words) * 1000, undefined, { signal }).catch(() => {});
    if (signal.aborted) return tell.status("canceled");
    tell.artifact("result", [text("done")]);
    tell.status("completed");
  };
};

export const skills: Readonly<Record<string, Skill>> = {
  "message-only": (tell, words) => tell.message(`[message-only] You said: ${words}`),
  "task-lifecycle": (tell, words) => {
    tell.begin();
    tell.status("working");
    tell.artifact("result", [text(`[task-lifecycle] Processed: ${words}`)]);
    tell.status("completed");
  },
  "task-failure": (tell) => {
    tell.begin();
    tell.status("working");
    tell.status("failed", "[task-failure] as asked");
  },
  "task-cancel": waits(() => 30),
  slow: waits((words) => Number(/\d+/.exec(words)?.[0] ?? 2)),
  "long-running": waits(() => 10),
  "multi-turn": (tell, words) => {
    tell.begin();
    if (!words.includes("done")) return tell.status("input-required", "[multi-turn] And then?");
    tell.artifact("final", [text("[multi-turn] finished")]);
    tell.status("completed");
  },
  streaming: async (tell) => {
    tell.begin();
    tell.status("working", "[streaming] Starting");
    for (let chunk = 1; chunk <= 4; chunk++) {
      await sleep(100);
      tell.artifact("stream-result", [text(`Chunk ${chunk}`)], { append: chunk > 1, lastChunk: chunk === 4 });
    }
    tell.status("completed");
  },
  "data-types": (tell) => {
    tell.begin();
    tell.status("working");
    tell.artifact("text", [text("text")]);
    tell.artifact("data", [{ kind: "data", data: { nested: { list: [1, 2.5, null] } } }]);
    const bytes = Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>").toString("base64");
    tell.artifact("file", [{ kind: "file", file: { bytes, name: "test.svg", mimeType: "image/svg+xml" } }]);
    tell.status("completed");
  },
  "auth-required": (tell) => {
    if (tell.begin()) return tell.status("auth-required", "[auth-required] Please log in.");
    tell.artifact("receipt", [text("[auth-required] thank you")]);
    tell.status("completed");
  },
  rejected: (tell) => {
    tell.begin();
    tell.status("rejected", "[rejected] no");
  },
};

/** Skills that a later message goes on with. */
const waiting = [skills["multi-turn"]!, skills["auth-required"]!];

/** Hands a message to its skill: that of the task it goes on with, or that of its first word. */
export class Skills implements AgentExecutor {
  readonly #running = new Map<string, { stop: AbortController; done: Promise<void> }>();
  readonly #open = new Map<string, Skill>();

  async execute(context: RequestContext, bus: ExecutionEventBus): Promise<void> {
    const { taskId, userMessage } = context;
    const tell = new Teller(bus, context);
    const busy = this.#running.get(taskId);
    // Both turns share a bus: the first one's last words are those of the second as well.
    if (busy) return tell.status("working", "[noted] still at it");
    const words = said(userMessage);
    const skill =
      this.#open.get(taskId) ?? skills[words.trim().split(/\s+/, 1)[0]!.toLowerCase()] ?? skills["message-only"]!;
    if (waiting.includes(skill)) this.#open.set(taskId, skill);
    const stop = new AbortController();
    const done = (async () => skill(tell, words, stop.signal))().finally(() => this.#running.delete(taskId));
    this.#running.set(taskId, { stop, done });
    await done;
    bus.finished();
  }

  /** Asked only for tasks at work: those that wait for their user the SDK cancels itself. */
  async cancelTask(taskId: string, bus: ExecutionEventBus): Promise<void> {
    const running = this.#running.get(taskId);
    // Who comes after the last word gets what there is.
    if (!running) return bus.finished();
    running.stop.abort();
    await running.done;
  }
}
