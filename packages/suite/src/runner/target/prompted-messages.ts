import { randomUUID } from "node:crypto";
import type { JsonObject, Message, Part } from "@assay/protocol";
import { isCallerRefused, isPromptRefused, promptRefused } from "../../answers/prompt-refusal.ts";
import { taskIn } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import type { LiveStream } from "../../define/live-stream.ts";
import { skipped } from "../../define/obstacle.ts";
import type { PrincipalName } from "../../define/principal.ts";
import type { PromptKind } from "../../define/prompt-kind.ts";
import type { SendMore } from "../../define/target.ts";
import { partsWithMore, readsText, saysText } from "../../stimuli/parts.ts";
import { interrupted } from "../interrupted.ts";
import type { PreparedVersion, RunContext } from "../run-context.ts";
import type { PatientCalls } from "./patient-calls.ts";
import { type AttemptResult, type CallEnding, endingOf, withRetries } from "./retry.ts";

/** Sends the messages that are known to trigger a behaviour. */
export class PromptedMessages {
  readonly #context: RunContext;
  readonly #version: PreparedVersion;
  readonly #principal: PrincipalName;
  readonly #calls: PatientCalls;

  constructor(context: RunContext, version: PreparedVersion, principal: PrincipalName, calls: PatientCalls) {
    this.#context = context;
    this.#version = version;
    this.#principal = principal;
    this.#calls = calls;
  }

  hasPrompt(kind: PromptKind): boolean {
    return this.#version.preconditions.stimuli[kind] !== undefined;
  }

  say(text: string, behind: readonly Part[] = []): Part[] {
    const { task } = this.#version.preconditions.stimuli;
    const isRead =
      readsText(this.#version.facts, this.#context.options.skills) || (task !== undefined && saysText(task));
    return partsWithMore(behind, text, isRead);
  }

  message(kind: PromptKind, more: Partial<Message> = {}): Message {
    const stimulus = this.#version.preconditions.stimuli[kind];
    if (!stimulus) {
      throw skipped("prompt", `no known message makes this agent show it`, `prompts.${kind} in assay.yaml`);
    }
    const { parts, idPrefix } = stimulus;
    const messageId = idPrefix === undefined ? randomUUID() : `${idPrefix}-${randomUUID()}`;
    return { messageId, role: "ROLE_USER", parts: [...parts], ...more };
  }

  async send(kind: PromptKind, more: SendMore = {}): Promise<Call> {
    // A failed task accepts no further message, so only a message to a new task can be repeated.
    const isNew = more.message?.taskId === undefined;
    const endingOfSend = (call: Call): CallEnding =>
      taskIn(call)?.state === "TASK_STATE_FAILED" && kind !== "failure" && isNew ? "failed-task" : endingOf(call);
    const inquiry = this.#calls.crashes.inquiry("SendMessage", { isWork: true });
    const send = (): Promise<Call> =>
      this.#calls.message("first-message", "SendMessage", this.#sendParams(kind, more), more, inquiry);
    const call = await this.#calls.retried("fresh-message", send, inquiry, { ending: endingOfSend });
    if (endingOf(call) === "aborted") throw interrupted(this.#context.signal);
    if (this.#isRefused(call, more)) throw promptRefused(call, kind);
    return call;
  }

  stream(kind: PromptKind, more: SendMore = {}): Promise<LiveStream> {
    const inquiry = this.#calls.crashes.inquiry("SendStreamingMessage", { isWork: true });
    const attempt = async (): Promise<AttemptResult<LiveStream>> => {
      const params = this.#sendParams(kind, more);
      const stream = await this.#calls.openFor("first-message", "SendStreamingMessage", params, more, inquiry);
      const first = await stream.peek(0);
      const isOver = first !== undefined && first.is !== "result";
      const call = isOver ? await stream.hangUp() : undefined;
      if (call && this.#isRefused(call, more)) throw promptRefused(call, kind);
      return { value: stream, call };
    };
    return withRetries("fresh-message", attempt, this.#calls.retryOptions(inquiry));
  }

  /** The agent rejects the prompt itself. A message with other parts may be meant to be rejected. */
  #isRefused(call: Call, { message, parts }: SendMore): boolean {
    if (this.#principal !== "user" || message?.taskId !== undefined) return false;
    return parts === undefined ? isPromptRefused(call) : isCallerRefused(call);
  }

  #sendParams(kind: PromptKind, { message, parts, configuration, metadata }: SendMore): JsonObject {
    const written = this.message(kind, { ...message, ...(parts && { parts: [...parts] }) });
    return {
      // Messages of Assay are JSON.
      message: written as unknown as JsonObject,
      ...(configuration && { configuration }),
      ...(metadata && { metadata }),
    };
  }
}
