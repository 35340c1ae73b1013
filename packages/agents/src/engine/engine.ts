import { randomUUID } from "node:crypto";
import { setImmediate as turnOfTheLoop } from "node:timers/promises";
import {
  A2AError,
  type CancelTaskRequest,
  type GetTaskRequest,
  isInterrupted,
  isResting,
  isTerminal,
  type ListTasksRequest,
  type ListTasksResponse,
  type Message,
  type SendMessageRequest,
  type SendMessageResponse,
  type StreamResponse,
  type SubscribeToTaskRequest,
  type Task,
} from "@assay/protocol";
import type { Habits } from "../agent.ts";
import type { Clock } from "../clock.ts";
import { type Extension, type Relay, type Skill, type SkillEvent, type Turn, textOf } from "../define.ts";
import type { PushService } from "../push/service.ts";
import { frozenCopy } from "../store/apply.ts";
import { CursorExpired, SequenceConflict, StoreFull, type TaskEvent, type TaskStore } from "../store/store.ts";
import { Cancellation } from "./cancellation.ts";
import { anyContext, type Contexts, OwnContexts } from "./contexts.ts";
import { checkInputModes, covers, shapeOutput } from "./modes.ts";
import { PageTokens } from "./page-token.ts";
import { marksOf, publicEvent, recordOf, viewOf } from "./views.ts";

/** Who calls, and under which conditions. */
export interface Call {
  /** the room of tasks the caller lives in: agent, tenant and principal */
  readonly scope: string;
  /** declared by the agent and asked for by the client */
  readonly extensions: readonly Extension[];
  /** clients name their tasks, as in 0.1: an unknown id is a new task, that of an ended one begins it again */
  readonly clientIds?: boolean;
}

export interface EngineOptions {
  readonly store: TaskStore;
  readonly clock: Clock;
  readonly push: PushService;
  readonly relay: Relay;
  /** the skill that answers a text, and what is left of the text for it */
  readonly route: (message: Message) => { skill: Skill; argument: string };
  readonly inputModes: readonly string[];
  readonly outputModes: readonly string[];
  readonly habits?: Habits;
  /** told what a skill threw; clients only learn that it failed */
  readonly onSkillError?: (error: unknown, skill: string) => void;
}

interface Run {
  readonly cancellation: Cancellation;
  /** settles when the task rests: ended, or waiting for the client */
  readonly rested: Promise<void>;
}

interface Ids {
  readonly id: string;
  readonly contextId: string;
}

/** How long a canceled skill may take to leave before the engine closes the task itself. */
const cancelGraceMs = 2_000;
const leaseMs = 60_000;
/** A skill that never waits for anything lets others have their turn after this many events. */
const eventsPerTurn = 250;

type Log = AsyncIterable<readonly TaskEvent[]>;

type Begun =
  | { readonly message: Message }
  | {
      readonly opening: Task;
      readonly ids: Ids;
      readonly rested: Promise<void>;
      /** what happens behind the opening, for those who asked for a stream */
      readonly log: Log | undefined;
    };

/** The life of tasks: what the operations of A2A do, apart from any wire. */
export class Engine {
  readonly #options: EngineOptions;
  readonly #runs = new Map<string, Run>();
  readonly #tokens = new PageTokens();
  readonly #contexts: Contexts;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#contexts = options.habits?.ownContextsOnly ? new OwnContexts() : anyContext;
  }

  async send(request: SendMessageRequest, call: Call): Promise<SendMessageResponse> {
    const { returnImmediately, historyLength } = request.configuration ?? {};
    const begun = await this.#begin(request, call);
    if ("message" in begun) return { message: begun.message };
    if (!returnImmediately) await begun.rested;
    const found = await this.#options.store.snapshot(call.scope, begun.ids.id);
    return { task: viewOf(found?.task ?? begun.opening, historyLength) };
  }

  /** Resolves once the answer is known to be a stream; what is wrong before that is thrown. */
  async stream(request: SendMessageRequest, call: Call, signal: AbortSignal): Promise<AsyncIterable<StreamResponse>> {
    const begun = await this.#begin(request, call, signal);
    if ("message" in begun) return one({ message: begun.message });
    return told(viewOf(begun.opening, request.configuration?.historyLength), begun.ids, begun.log!);
  }

  async subscribe(
    request: SubscribeToTaskRequest,
    call: Call,
    signal: AbortSignal,
  ): Promise<AsyncIterable<StreamResponse>> {
    const { task, seq } = await this.#find(request.id, call);
    if (isTerminal(task.status.state)) {
      throw new A2AError("UnsupportedOperation", `Task ${task.id} has ended; get it instead of subscribing to it`, {
        facts: { taskId: task.id },
      });
    }
    const log = this.#options.store.follow(call.scope, task.id, seq, signal);
    return told(viewOf(task, undefined), idsOf(task), log);
  }

  async get(request: GetTaskRequest, call: Call): Promise<Task> {
    checkHistoryLength(request.historyLength, "$.historyLength");
    return viewOf((await this.#find(request.id, call)).task, request.historyLength);
  }

  async list(request: ListTasksRequest, call: Call): Promise<ListTasksResponse> {
    const { contextId, status, pageToken, historyLength, statusTimestampAfter, includeArtifacts = false } = request;
    const pageSize = request.pageSize ?? 50;
    checkRange(pageSize, 1, 100, "$.pageSize");
    checkHistoryLength(historyLength, "$.historyLength");
    const filter = {
      ...(contextId ? { contextId } : {}),
      ...(status && status !== "TASK_STATE_UNSPECIFIED" ? { state: status } : {}),
      ...(statusTimestampAfter ? { since: Date.parse(statusTimestampAfter) } : {}),
    };
    const query = JSON.stringify([call.scope, filter]);
    const cursor = pageToken ? this.#tokens.open(pageToken, query) : undefined;
    const page = await this.#options.store.list(call.scope, filter, pageSize, cursor).catch(asRefusal);
    return {
      tasks: page.tasks.map((task) => viewOf(task, historyLength, includeArtifacts)),
      nextPageToken: page.cursor === undefined ? "" : this.#tokens.seal(page.cursor, query),
      pageSize,
      totalSize: page.total,
    };
  }

  async cancel(request: CancelTaskRequest, call: Call): Promise<Task> {
    const { task } = await this.#find(request.id, call);
    if (isTerminal(task.status.state)) throw notCancelable(task);
    const { metadata } = request;
    try {
      await this.#record(call, idsOf(task), { is: "cancel-requested", ...(metadata ? { metadata } : {}) });
      const run = this.#runs.get(task.id);
      run?.cancellation.request();
      if (run) await this.#graceFor(run.rested);
      await this.#record(call, idsOf(task), this.#statusEvent("TASK_STATE_CANCELED"));
    } catch (error) {
      // It has ended meanwhile, most often because the skill heard us; how it ended decides.
      if (!(error instanceof SequenceConflict)) throw error;
    }
    const { task: now } = await this.#find(request.id, call);
    if (now.status.state !== "TASK_STATE_CANCELED") throw notCancelable(now);
    return viewOf(now, undefined);
  }

  /** Ends all work; for shutdown. */
  async close(): Promise<void> {
    const runs = [...this.#runs.values()];
    for (const run of runs) run.cancellation.request();
    await this.#graceFor(Promise.all(runs.map((run) => run.rested)));
  }

  /** Waits for what was told to stop, but no longer than it may take. */
  async #graceFor(rested: Promise<unknown>): Promise<void> {
    const enough = new AbortController();
    const over = this.#options.clock.sleep(cancelGraceMs, enough.signal, cancelGraceMs).catch(() => {});
    await Promise.race([rested, over]);
    enough.abort();
  }

  /** The task, if the caller may see it. "Not yours" and "not there" are one answer (§3.3.2). */
  async #find(id: string, call: Call): Promise<{ task: Task; seq: number }> {
    const found = await this.#options.store.snapshot(call.scope, id);
    if (!found) throw taskNotFound(id);
    return found;
  }

  /** Whether the caller may see the task; for what is kept beside tasks. */
  async require(id: string, call: Call): Promise<void> {
    await this.#find(id, call);
  }

  /** With a `signal`, the log is followed from the beginning on: before the skill can have said anything. */
  async #begin(request: SendMessageRequest, call: Call, signal?: AbortSignal): Promise<Begun> {
    const { message, configuration } = request;
    checkHistoryLength(configuration?.historyLength, "$.configuration.historyLength");
    checkInputModes(message, this.#options.inputModes, this.#options.habits?.contentTypeInMetadata);
    const push = configuration?.taskPushNotificationConfig;
    if (push) this.#options.push.check(push, "$.configuration.taskPushNotificationConfig");
    const { taskId } = message;
    if (!taskId) return this.#start(request, call, signal);
    const before = call.clientIds ? await this.#options.store.snapshot(call.scope, taskId) : undefined;
    const isNew = call.clientIds && (!before || isTerminal(before.task.status.state));
    return isNew
      ? this.#start(request, call, signal, { id: taskId, ...(before ? { before: before.task } : {}) })
      : this.#resume(request, taskId, call, signal);
  }

  async #start(
    { message, configuration, metadata }: SendMessageRequest,
    call: Call,
    signal: AbortSignal | undefined,
    chosen?: ChosenId,
  ): Promise<Begun> {
    const { store, clock, push } = this.#options;
    const startedAt = clock.now();
    const contextId = this.#contexts.enter(message.contextId || chosen?.before?.contextId, call.scope);
    const cancellation = new Cancellation();
    const { skill, argument } = this.#options.route(message);
    const events = skill.run(this.#turn(message, argument, cancellation));
    const accepted = this.#acceptable(configuration?.acceptedOutputModes);
    let first: IteratorResult<SkillEvent, void> | undefined;
    let crash: unknown;
    try {
      first = await events.next();
    } catch (error) {
      crash = error ?? new Error("the skill threw nothing");
    }
    if (first && !first.done && first.value.is === "message" && !chosen) {
      await events.return();
      const marks = marksOf(call.extensions, clock.now(), startedAt);
      return {
        message: {
          messageId: randomUUID(),
          ...(this.#options.habits?.quietContexts && !message.contextId ? {} : { contextId }),
          role: "ROLE_AGENT",
          parts: first.value.parts,
          ...marks,
        },
      };
    }

    const id = chosen?.id ?? randomUUID();
    const ids = { id, contextId };
    if (chosen?.before) await store.remove(call.scope, id);
    const opening: Task = {
      id,
      contextId,
      status: { state: "TASK_STATE_SUBMITTED", timestamp: new Date(startedAt).toISOString() },
      history: [...(chosen?.before?.history ?? []), { ...message, contextId, taskId: id }],
      ...(metadata ? { metadata } : {}),
    };
    await store.create(call.scope, opening).catch(asRefusal);
    const log = signal && store.follow(call.scope, id, 1, signal);
    const inline = configuration?.taskPushNotificationConfig;
    if (inline) push.register(id, inline);
    push.notify(id, { task: opening });
    const run = this.#drive({ call, ids, skill, events, cancellation, accepted, startedAt, first, crash });
    return { opening, ids, rested: run.rested, log };
  }

  async #resume(request: SendMessageRequest, id: string, call: Call, signal: AbortSignal | undefined): Promise<Begun> {
    const { message } = request;
    const { store, clock } = this.#options;
    const { task } = await this.#find(id, call);
    const ids = idsOf(task);
    if (message.contextId && message.contextId !== ids.contextId) {
      throw new A2AError("InvalidParams", `Task ${id} belongs to another context than the message says`, {
        violations: [{ path: "$.message.contextId", message: `leave it out, or send "${ids.contextId}"` }],
      });
    }
    if (isTerminal(task.status.state)) throw hasEnded(task);
    // Named for this turn alone: of a message that is sent twice at once, only one may go on.
    const owner = randomUUID();
    const free = isInterrupted(task.status.state) && (await store.claim(call.scope, id, owner, clock.now() + leaseMs));
    if (!free) {
      throw new A2AError("UnsupportedOperation", `Task ${id} is at work and takes no message before it asks for one`, {
        facts: { taskId: id, state: task.status.state },
      });
    }
    try {
      const begun = await this.#goOn(request, task, call, signal);
      void begun.rested.then(() => store.release(call.scope, id, owner));
      return begun;
    } catch (error) {
      await store.release(call.scope, id, owner);
      throw error instanceof SequenceConflict ? hasEnded((await this.#find(id, call)).task) : error;
    }
  }

  async #goOn({ message, configuration }: SendMessageRequest, task: Task, call: Call, signal: AbortSignal | undefined) {
    const ids = idsOf(task);
    const { id } = ids;
    const inline = configuration?.taskPushNotificationConfig;
    if (inline) this.#options.push.register(id, inline);
    const cancellation = new Cancellation();
    // The first message chose the skill; so the choice survives a restart without being stored.
    const { skill } = this.#options.route(task.history?.[0] ?? message);
    const said = { ...message, contextId: ids.contextId, taskId: id };
    await this.#record(call, ids, { is: "message", message: said }).catch(asRefusal);
    const found = await this.#find(id, call);
    const opening = frozenCopy(found.task);
    const log = signal && this.#options.store.follow(call.scope, id, found.seq, signal);
    const turn = Object.assign(this.#turn(message, textOf(message).trim(), cancellation), { task: opening });
    const events = skill.run(turn);
    const accepted = this.#acceptable(configuration?.acceptedOutputModes);
    const startedAt = this.#options.clock.now();
    const run = this.#drive({ call, ids, skill, events, cancellation, accepted, startedAt });
    return { opening, ids, rested: run.rested, log };
  }

  #turn(message: Message, argument: string, cancellation: Cancellation): Omit<Turn, "task"> {
    const { clock, relay } = this.#options;
    return {
      message,
      argument,
      text: textOf(message),
      clock,
      relay,
      get signal() {
        return cancellation.signal;
      },
    };
  }

  /** The client's wish for media types, as far as the agent can meet any of it. */
  #acceptable(wish: readonly string[] | undefined): readonly string[] | undefined {
    const met = wish?.some((mode) => this.#options.outputModes.some((own) => covers(mode, own)));
    return met ? wish : undefined;
  }

  /** Plays a skill to its rest in the background, one event of the log at a time. */
  #drive(work: Work): Run {
    const run: Run = { cancellation: work.cancellation, rested: this.#play(work) };
    const { id } = work.ids;
    this.#runs.set(id, run);
    void run.rested.then(() => {
      if (this.#runs.get(id) === run) this.#runs.delete(id);
    });
    return run;
  }

  async #play(work: Work): Promise<void> {
    const { call, ids, events, cancellation, accepted, startedAt, first, crash } = work;
    const { clock } = this.#options;
    let said = 0;
    try {
      if (crash !== undefined) throw crash;
      for (let next = first ?? (await events.next()); !next.done; next = await events.next()) {
        const event = shapeOutput(next.value, accepted);
        if (!event) continue;
        const now = clock.now();
        const record = recordOf(event, ids, {
          now,
          newId: randomUUID,
          marks: marksOf(call.extensions, now, startedAt),
        });
        await this.#record(call, ids, record);
        if (record.is === "status" && isResting(record.status.state)) {
          await events.return();
          return;
        }
        if (++said % eventsPerTurn === 0) await turnOfTheLoop();
      }
      await this.#record(
        call,
        ids,
        this.#statusEvent(cancellation.requested ? "TASK_STATE_CANCELED" : "TASK_STATE_COMPLETED"),
      );
    } catch (error) {
      await this.#closeAfter(error, work);
      // Where it was us who stopped listening, the skill still holds what it has opened.
      await events.return().catch(() => {});
    }
  }

  /** A skill that could not be played to its rest: its task must not stay open. */
  async #closeAfter(error: unknown, { call, ids, skill, cancellation }: Work): Promise<void> {
    // The task was ended from outside (a cancel that could not wait): there is nothing left to say.
    if (error instanceof SequenceConflict) return;
    if (cancellation.requested) {
      await this.#record(call, ids, this.#statusEvent("TASK_STATE_CANCELED")).catch(() => {});
      return;
    }
    this.#options.onSkillError?.(error, skill.id);
    const parts = [{ text: `[${skill.id}] The skill failed unexpectedly; this is the agent's fault, not yours.` }];
    const failed: SkillEvent = { is: "status", state: "TASK_STATE_FAILED", parts };
    const now = this.#options.clock.now();
    await this.#record(call, ids, recordOf(failed, ids, { now, newId: randomUUID, marks: {} })).catch(() => {});
  }

  #statusEvent(state: Task["status"]["state"]): TaskEvent {
    return { is: "status", status: { state, timestamp: new Date(this.#options.clock.now()).toISOString() } };
  }

  /** Appends to the log wherever it stands now, and tells the webhooks. */
  async #record(call: Call, ids: Ids, event: TaskEvent): Promise<void> {
    const { store, push } = this.#options;
    for (let attempt = 0; ; attempt++) {
      const found = await store.snapshot(call.scope, ids.id);
      try {
        await store.append(call.scope, ids.id, found?.seq ?? 0, [event]);
        break;
      } catch (error) {
        const ended = !found || isTerminal(found.task.status.state);
        if (!(error instanceof SequenceConflict) || ended || attempt === 100) throw error;
      }
    }
    if (!push.wants(ids.id)) return;
    const update = publicEvent(ids, event);
    if (update) push.notify(ids.id, update);
  }
}

/** A task under the id that the client chose, and what it was before, if it was. */
interface ChosenId {
  readonly id: string;
  readonly before?: Task;
}

interface Work {
  readonly call: Call;
  readonly ids: Ids;
  readonly skill: Skill;
  readonly events: AsyncGenerator<SkillEvent, void, undefined>;
  readonly cancellation: Cancellation;
  readonly accepted: readonly string[] | undefined;
  readonly startedAt: number;
  readonly first?: IteratorResult<SkillEvent, void> | undefined;
  readonly crash?: unknown;
}

const idsOf = (task: Task): Ids => ({ id: task.id, contextId: task.contextId ?? "" });

/** A stream: the task as it stands, then what the log says from there on. */
async function* told(opening: Task, ids: Ids, log: Log): AsyncGenerator<StreamResponse> {
  yield { task: opening };
  for await (const batch of log) {
    for (const event of batch) {
      const update = publicEvent(ids, event);
      if (update) yield update;
      // Waiting for the user's words: the client will come back with a new request (§11.7). While it waits
      // for credentials the stream stays open, because they may arrive out of band (§7.6.1).
      if (event.is === "status" && event.status.state === "TASK_STATE_INPUT_REQUIRED") return;
    }
  }
}

async function* one<T>(value: T): AsyncGenerator<T> {
  yield value;
}

const taskNotFound = (id: string): A2AError =>
  new A2AError("TaskNotFound", `There is no task ${JSON.stringify(id.slice(0, 200))} here`, {
    facts: { taskId: id.slice(0, 200) },
  });

const hasEnded = ({ id, status }: Task): A2AError =>
  new A2AError("UnsupportedOperation", `Task ${id} has ended; start a new one in its context`, {
    facts: { taskId: id, state: status.state },
  });

const notCancelable = (task: Task): A2AError =>
  new A2AError("TaskNotCancelable", `Task ${task.id} has already ended`, {
    facts: { taskId: task.id, state: task.status.state },
  });

/** What the store cannot do, in the words of the protocol. */
function asRefusal(error: unknown): never {
  if (error instanceof StoreFull) throw new A2AError("Unavailable", "Too many tasks are open; try again later");
  if (error instanceof CursorExpired) {
    throw new A2AError("InvalidParams", "pageToken has expired: too much has changed since the first page", {
      violations: [{ path: "$.pageToken", message: "leave it out, to begin again at the first page" }],
    });
  }
  throw error;
}

function checkRange(value: number, low: number, high: number, path: string): void {
  if (value >= low && value <= high) return;
  const name = path.slice(path.lastIndexOf(".") + 1);
  throw new A2AError("InvalidParams", `${name} has to be from ${low} to ${high}, got ${value}`, {
    violations: [{ path, message: `has to be from ${low} to ${high}` }],
  });
}

function checkHistoryLength(value: number | undefined, path: string): void {
  if (value !== undefined) checkRange(value, 0, 2147483647, path);
}
