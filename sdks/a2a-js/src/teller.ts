import { randomUUID } from "node:crypto";
import { type Artifact, type Message, type Part, Role, type Task, TaskState } from "@a2a-js/sdk";
import { AgentEvent, type ExecutionEventBus, type RequestContext } from "@a2a-js/sdk/server";

export const part = (content: NonNullable<Part["content"]>, more: Partial<Part> = {}): Part => ({
  content,
  metadata: undefined,
  filename: "",
  mediaType: "",
  ...more,
});
export const text = (value: string): Part => part({ $case: "text", value });

export const said = ({ parts: [first] }: Message): string =>
  first?.content?.$case === "text" ? first.content.value : "";

/** Publishes the events of a skill's task through the SDK. */
export class Teller {
  readonly #bus: ExecutionEventBus;
  readonly #context: RequestContext;

  constructor(bus: ExecutionEventBus, context: RequestContext) {
    this.#bus = bus;
    this.#context = context;
  }

  /** the message that the skill answers */
  get asked(): Message {
    return this.#context.userMessage;
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
    // Every turn begins with its task, including one that continues it.
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

export const now = (): string => new Date().toISOString();

export type Skill = (tell: Teller, words: string, signal: AbortSignal) => Promise<void> | void;
