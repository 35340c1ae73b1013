import { randomUUID } from "node:crypto";
import {
  A2AError,
  type ErrorName,
  type Message,
  type SendMessageConfiguration,
  type StreamResponse,
  type Task,
} from "@assay/protocol";
import { Ledger } from "@assay/wire/server";
import { type Habits, inputModes, outputModes } from "../definition/agent.ts";
import type { TaskCall } from "../definition/call.ts";
import type { Clock } from "../definition/clock.ts";
import { FakeClock } from "../definition/fake-clock.fixture.ts";
import { type Relay, type Skill, type SkillEvent, skill, type Turn } from "../definition/skill.ts";
import { chargedRelay } from "../outbound/relay-budget.ts";
import { noPush, type PushService } from "../push/service.ts";
import { coreSkills, moreSkills } from "../skills/index.ts";
import { MemoryStore } from "../store/memory.ts";
import { Engine } from "./engine.ts";
import { TaskExpiry } from "./expiry.ts";
import type { EngineOptions } from "./options.ts";
import { byKeyword } from "./routing.ts";

const testbedSkills = [...coreSkills, ...moreSkills];

export const here: TaskCall = { scope: "spec\n", account: "here", extensions: [] };
export const elsewhere: TaskCall = { scope: "spec\nnorth", account: "elsewhere", extensions: [] };
export const forever = new AbortController().signal;

export interface EngineHarness<C extends Clock> {
  readonly engine: Engine;
  readonly store: MemoryStore;
  readonly ledger: Ledger;
  readonly clock: C;
  /** errors thrown by skills */
  readonly crashes: unknown[];
  /** Sends a text that starts a task, and waits until it rests. */
  begin(text: string, configuration?: SendMessageConfiguration): Promise<Task>;
  /** Sends a text that starts a task, and does not wait. */
  start(text: string): Promise<Task>;
  follow(task: Task, text: string, configuration?: SendMessageConfiguration): Promise<Task>;
  now(task: Task): Promise<Task>;
}

interface EngineHarnessOptions<C extends Clock> {
  readonly clock?: C;
  readonly skills?: readonly Skill[];
  readonly push?: PushService;
  readonly relay?: Relay;
  /** a store that another engine used before */
  readonly store?: MemoryStore;
  readonly maxTasks?: number;
  readonly maxBytes?: number;
  readonly waitMs?: number;
  readonly authorisationUrl?: EngineOptions["authorisationUrl"];
  readonly habits?: Habits;
}

/** An engine with its own store and a clock that the test controls. */
export function engineHarness<C extends Clock = FakeClock>(options: EngineHarnessOptions<C> = {}): EngineHarness<C> {
  const { skills = testbedSkills, push = noPush, relay = async (cardUrl, text) => `${cardUrl} says ${text}` } = options;
  // A test that needs another clock passes it.
  const { maxBytes } = options;
  const clock = options.clock ?? (new FakeClock() as Clock as C);
  const ledger = new Ledger(maxBytes === undefined ? {} : { caller: maxBytes, total: 2 * maxBytes });
  const store =
    options.store ??
    new MemoryStore(() => clock.now(), {
      ledger,
      ...(options.maxTasks === undefined ? {} : { tasks: options.maxTasks }),
    });
  const crashes: unknown[] = [];
  const engine = new Engine({
    store,
    clock,
    push,
    relay: chargedRelay(relay, ledger),
    route: byKeyword(skills),
    inputModes,
    outputModes,
    ...(options.waitMs === undefined ? {} : { expiry: new TaskExpiry(clock, options.waitMs) }),
    ...(options.authorisationUrl && { authorisationUrl: options.authorisationUrl }),
    ...(options.habits && { habits: options.habits }),
    onSkillError: (error) => crashes.push(error),
  });
  const send = async (message: Message, configuration?: SendMessageConfiguration): Promise<Task> => {
    const answer = await engine.send({ message, ...(configuration ? { configuration } : {}) }, here);
    return answer.task!;
  };
  return {
    engine,
    store,
    ledger,
    clock,
    crashes,
    begin: (text, configuration) => send(user(text), configuration),
    start: (text) => send(user(text), { returnImmediately: true }),
    follow: (task, text, configuration) => send(user(text, { taskId: task.id }), configuration),
    now: (task) => engine.get({ id: task.id }, here),
  };
}

export const user = (text: string, more: Partial<Message> = {}): Message => ({
  messageId: randomUUID(),
  role: "ROLE_USER",
  parts: [{ text }],
  ...more,
});

/** A skill named `test` that emits the events of the test. */
export const testSkill = (run: (turn: Turn) => AsyncGenerator<SkillEvent, void, undefined>, id = "test"): Skill =>
  skill(id, { name: id, description: id, tags: [], examples: [], run });

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Returns the error of a rejected operation. */
export async function refusal(
  operation: Promise<unknown>,
): Promise<{ kind: ErrorName; message: string; path?: string }> {
  const error = await operation.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof A2AError))
    throw new Error("It was not refused with an error of the protocol", { cause: error });
  const path = error.violations[0]?.path;
  return { kind: error.kind, message: error.message, ...(path === undefined ? {} : { path }) };
}

/** Formats each event in one line, without ids and times. */
export function lines(events: readonly StreamResponse[]): string[] {
  return events.map(({ task, message, statusUpdate, artifactUpdate }) => {
    if (message) return `message ${said(message)}`;
    if (task) return `task ${brief(task)}`;
    if (statusUpdate) return `status ${shortState(statusUpdate.status)}`;
    const { artifact, append, lastChunk } = artifactUpdate!;
    const marks = [append && "append", lastChunk && "last"].filter(Boolean).map((mark) => ` (${mark})`);
    return `artifact ${artifact.artifactId}${marks.join("")} ${JSON.stringify(artifact.parts)}`;
  });
}

/** Formats a task in one line: its state, the agent's message, and its artifacts. */
export function brief({ status, artifacts }: Task): string {
  const made = (artifacts ?? []).map(({ artifactId, parts }) => ` +${artifactId} ${JSON.stringify(parts)}`);
  return `${shortState(status)}${made.join("")}`;
}

const shortState = ({ state, message }: Task["status"]): string =>
  `${state.replace("TASK_STATE_", "")}${message ? ` ${said(message)}` : ""}`;

const said = ({ role, parts }: Message): string =>
  `${role === "ROLE_AGENT" ? "agent" : "user"} ${JSON.stringify(parts.length === 1 ? (parts[0]!.text ?? parts) : parts)}`;

/** Returns the texts of a task's history, each with its role. */
export const spoken = (task: Task): string[] => (task.history ?? []).map(said);
