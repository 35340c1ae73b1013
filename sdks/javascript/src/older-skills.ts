import { randomUUID } from "node:crypto";
import { type AskAgent, SkillInterpreter } from "./interpreter.ts";
import type { SkilledAgent, SkillPart, SkillState, SkillsFile } from "./skills-file.ts";

// The SDKs for 0.2 and 0.3 have the same events and the same executor. Only their type names differ.

interface OlderMessage {
  readonly kind: "message";
  readonly messageId: string;
  readonly role: "agent" | "user";
  readonly parts: OlderPart[];
  readonly contextId?: string;
  readonly taskId?: string;
}

type OlderPart =
  | { kind: "text"; text: string }
  | { kind: "data"; data: Record<string, unknown> }
  | { kind: "file"; file: { bytes: string; name?: string; mimeType?: string } };

type OlderState = SkillState | "submitted";

export type OlderEvent =
  | OlderMessage
  | {
      kind: "task";
      id: string;
      contextId: string;
      status: { state: OlderState; timestamp: string };
      // The user's message, as the SDK gave it.
      // biome-ignore lint/suspicious/noExplicitAny: each SDK has a type of its own for it
      history: any[];
    }
  | {
      kind: "status-update";
      taskId: string;
      contextId: string;
      status: { state: OlderState; timestamp: string; message?: OlderMessage };
      final: boolean;
    }
  | {
      kind: "artifact-update";
      taskId: string;
      contextId: string;
      artifact: { artifactId: string; name: string; parts: OlderPart[] };
      append: boolean;
      lastChunk: boolean;
    };

interface OlderBus {
  publish(event: OlderEvent): void;
  finished(): void;
}

interface OlderContext {
  readonly taskId: string;
  readonly contextId: string;
  readonly task?: unknown;
  readonly userMessage: { readonly parts: readonly { readonly kind: string }[] };
}

/** States that end a turn. Before 1.0 the agent has to mark them, not the SDK. */
const lastWords: readonly OlderState[] = [
  "completed",
  "failed",
  "canceled",
  "rejected",
  "input-required",
  "auth-required",
];

const now = (): string => new Date().toISOString();

const text = (words: string): OlderPart => ({ kind: "text", text: words });

function partOf({ text: words, data, raw, filename, mediaType }: SkillPart): OlderPart {
  if (words !== undefined) return text(words);
  if (raw === undefined) return { kind: "data", data: data as Record<string, unknown> };
  const named = { ...(filename && { name: filename }), ...(mediaType && { mimeType: mediaType }) };
  return { kind: "file", file: { bytes: raw, ...named } };
}

const said = ({ parts: [first] }: OlderContext["userMessage"]): string =>
  first?.kind === "text" && "text" in first ? String(first.text) : "";

/** Performs the skills of skills.json with the events of an SDK for 0.2 or 0.3. */
export class OlderSkills {
  readonly #interpreter: SkillInterpreter;
  readonly #running = new Map<string, { stop: AbortController; done: Promise<void> }>();

  constructor(file: SkillsFile, agent: SkilledAgent, ask: AskAgent) {
    this.#interpreter = new SkillInterpreter(file, agent, ask);
  }

  readonly execute = async (context: OlderContext, bus: OlderBus): Promise<void> => {
    const { taskId, contextId, userMessage, task } = context;
    const words = (value: string, ids: { contextId: string; taskId?: string }): OlderMessage => ({
      kind: "message",
      messageId: randomUUID(),
      role: "agent",
      parts: [text(value)],
      ...ids,
    });
    const status = (state: OlderState, value?: string): void => {
      const message = value === undefined ? {} : { message: words(value, { contextId, taskId }) };
      const final = lastWords.includes(state);
      bus.publish({ kind: "status-update", taskId, contextId, status: { state, ...message, timestamp: now() }, final });
    };
    // Both turns share a bus, so the last event of the first turn ends this one, too.
    if (this.#running.has(taskId)) return status("working", "[noted] still at it");
    const stop = new AbortController();
    const done = this.#interpreter
      .run(
        taskId,
        said(userMessage),
        {
          message: (value) => bus.publish(words(value, { contextId })),
          begin: () => {
            if (task) return;
            const fresh = { state: "submitted", timestamp: now() } as const;
            bus.publish({ kind: "task", id: taskId, contextId, status: fresh, history: [userMessage] });
          },
          status,
          artifact: (name, parts, { append, lastChunk }) => {
            const artifact = { artifactId: name, name, parts: parts.map(partOf) };
            bus.publish({ kind: "artifact-update", taskId, contextId, artifact, append, lastChunk });
          },
        },
        stop.signal,
      )
      .finally(() => this.#running.delete(taskId));
    this.#running.set(taskId, { stop, done });
    await done;
    bus.finished();
  };

  /** The SDK calls this only for running tasks, and cancels waiting ones itself. */
  readonly cancelTask = async (taskId: string, bus: OlderBus): Promise<void> => {
    const running = this.#running.get(taskId);
    // The turn has just ended, so there is nothing to cancel.
    if (!running) return bus.finished();
    running.stop.abort();
    await running.done;
  };
}
