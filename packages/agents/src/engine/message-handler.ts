import { randomUUID } from "node:crypto";
import {
  A2AError,
  isInterrupted,
  isTerminal,
  type Message,
  type SendMessageRequest,
  type Task,
  type TaskPushNotificationConfig,
  type TaskStatus,
} from "@assay/protocol/core";
import type { StopSignal } from "@assay/wire/server";
import type { TaskCall } from "../definition/call.ts";
import { type SkillEvent, type Turn, textOf, type UserDecision } from "../definition/skill.ts";
import { frozenCopy } from "../store/apply.ts";
import { isAway, SequenceConflict, type TaskLog } from "../store/store.ts";
import { Cancellation } from "./cancellation.ts";
import { anyContext, type Contexts, OwnContexts } from "./contexts.ts";
import { firstMessageOf } from "./first-message.ts";
import { checkGeneration } from "./generation.ts";
import { TaskGrowth } from "./growth.ts";
import { renewUntil } from "./lease.ts";
import { checkInputModes, covers } from "./modes.ts";
import type { EngineOptions } from "./options.ts";
import {
  asRefusal,
  checkChosenId,
  checkHistoryLength,
  checkHistoryRoom,
  checkParts,
  hasEnded,
  notAsked,
} from "./refusals.ts";
import type { Runner } from "./runner.ts";
import { withStatusMessage } from "./status-message.ts";
import { idsOf, type TaskIds } from "./task-ids.ts";
import type { TaskRecords } from "./task-records.ts";
import { timestampOf } from "./timestamp.ts";
import { EngineTurn } from "./turn.ts";
import { mark, marksOf, saidIn } from "./views.ts";

/** The result of a message: a direct answer or a task. */
export type HandledMessage =
  | { readonly message: Message }
  | {
      readonly opening: Task;
      readonly ids: TaskIds;
      readonly rested: Promise<unknown>;
      /** the events after the start, for a streaming request */
      readonly log: TaskLog | undefined;
    };

/** A task under an id that the client chose, with its earlier state if there was one. */
interface ChosenId {
  readonly id: string;
  readonly before?: Task;
}

const leaseMs = 60_000;
/** Delay before a failed release is retried. */
const releaseAgainMs = 250;
const forever = new AbortController().signal;

/** Handles a message: a direct answer, a new task, or the next turn of a waiting one. */
export class MessageHandler {
  readonly #options: EngineOptions;
  readonly #records: TaskRecords;
  readonly #runner: Runner;
  readonly #contexts: Contexts;

  constructor(options: EngineOptions, records: TaskRecords, runner: Runner) {
    this.#options = options;
    this.#records = records;
    this.#runner = runner;
    this.#contexts = options.habits?.ownContextsOnly ? new OwnContexts(options.store) : anyContext;
  }

  /** With a `signal`, the log is followed from its start, before the skill can emit anything. */
  handle(request: SendMessageRequest, call: TaskCall, signal?: StopSignal): Promise<HandledMessage> {
    return this.#runner.admit(() => this.#handle(request, call, signal));
  }

  async #handle(request: SendMessageRequest, call: TaskCall, signal?: StopSignal): Promise<HandledMessage> {
    const { message, configuration } = request;
    checkParts(message);
    checkHistoryLength(configuration?.historyLength, "$.configuration.historyLength");
    checkInputModes(message, this.#options.inputModes, this.#options.habits?.contentTypeInMetadata);
    const push = configuration?.taskPushNotificationConfig;
    if (push) this.#options.push.check(push, "$.configuration.taskPushNotificationConfig");
    const { taskId } = message;
    if (!taskId) return this.#start(request, call, signal);
    if (call.clientIds) checkChosenId(taskId);
    const before = call.clientIds ? await this.#options.store.snapshot(call.scope, taskId) : undefined;
    const isNew = call.clientIds && (!before || isTerminal(before.task.status.state));
    return isNew
      ? this.#start(request, call, signal, { id: taskId, ...(before ? { before: before.task } : {}) })
      : this.#resume(request, taskId, call, signal);
  }

  async #start(
    { message, configuration, metadata }: SendMessageRequest,
    call: TaskCall,
    signal: StopSignal | undefined,
    chosen?: ChosenId,
  ): Promise<HandledMessage> {
    const { store, clock, push, habits } = this.#options;
    // A stream whose skill starts in its turn sends the task and its first events together.
    const share = signal && (await this.#runner.turn());
    const startedAt = clock.now();
    const entered = this.#contexts.enter(message.contextId || chosen?.before?.contextId, call.scope);
    const contextId = typeof entered === "string" ? entered : await entered;
    const cancellation = new Cancellation();
    const { skill, argument } = this.#options.route(message);
    const place: { contextId: string; id?: string } = { contextId };
    const turn = new EngineTurn({ message, argument }, this.#options, call, place, cancellation);
    const events = skill.run(turn);
    const accepted = this.#acceptable(configuration?.acceptedOutputModes);
    let first: IteratorResult<SkillEvent, void> | undefined;
    let crash: unknown;
    try {
      const given = events.next();
      first = given instanceof Promise ? await given : given;
    } catch (error) {
      // Thrown before the message had any effect: it is the response to the request.
      if (error instanceof A2AError) throw error;
      crash = error ?? new Error("the skill threw nothing");
    }
    if (first && !first.done && first.value.is === "message" && !chosen) {
      const stopped = events.return();
      if (stopped instanceof Promise) await stopped;
      const isQuiet = habits?.quietContexts && !message.contextId;
      const { parts } = first.value;
      const answer: Message = isQuiet
        ? { messageId: randomUUID(), role: "ROLE_AGENT", parts }
        : { messageId: randomUUID(), contextId, role: "ROLE_AGENT", parts };
      mark(answer, marksOf(call.extensions, clock.now(), startedAt));
      return { message: answer };
    }

    const id = chosen?.id ?? randomUUID();
    place.id = id;
    const ids = { id, contextId };
    const submitted: TaskStatus = { state: "TASK_STATE_SUBMITTED", timestamp: timestampOf(startedAt) };
    const said = saidIn(ids, message);
    const opening: Task = {
      id,
      contextId,
      status: habits?.statesInWords ? withStatusMessage(submitted, ids) : submitted,
      history: chosen?.before ? [...allSaidIn(chosen.before), said] : [said],
    };
    if (metadata) opening.metadata = metadata;
    if (habits?.generation) opening.generation = "1";
    await this.#open(opening, configuration?.taskPushNotificationConfig, call, chosen?.before).catch(
      async (error: unknown) => {
        await events.return();
        throw error;
      },
    );
    const log = signal && store.follow(call.scope, id, 1, signal);
    push.notify(call, { task: opening }, opening);
    const run = this.#runner.start({
      call,
      ids,
      skill,
      events,
      cancellation,
      accepted,
      startedAt,
      seq: 1,
      growth: this.#growthOf(opening),
      share,
      first,
      crash,
    });
    return { opening, ids, rested: run.rested, log };
  }

  /** Stores a new task together with the webhook in its request: both, or neither. */
  async #open(
    opening: Task,
    webhook: TaskPushNotificationConfig | undefined,
    call: TaskCall,
    before: Task | undefined,
  ): Promise<void> {
    this.#runner.checkTime();
    try {
      await this.#records.open(call, opening, before);
      if (webhook) await this.#register(call, opening.id, webhook);
    } catch (error) {
      // A store that goes away may have written the task all the same.
      if (isAway(error)) this.#options.onUnended?.(call.scope, opening.id);
      throw error;
    }
  }

  async #register(call: TaskCall, id: string, webhook: TaskPushNotificationConfig): Promise<void> {
    try {
      await this.#options.push.register(call, id, webhook);
    } catch (error) {
      await this.#options.store.remove(call.scope, id);
      throw error;
    }
  }

  async #resume(
    request: SendMessageRequest,
    id: string,
    call: TaskCall,
    signal: StopSignal | undefined,
  ): Promise<HandledMessage> {
    const { message } = request;
    const { habits } = this.#options;
    const { task } = await this.#records.find(id, call);
    const ids = idsOf(task);
    if (message.contextId && message.contextId !== ids.contextId && !habits?.foreignContexts) {
      throw new A2AError("InvalidParams", `Task ${id} belongs to a different context than the message says`, {
        violations: [{ path: "$.message.contextId", message: `omit it, or send "${ids.contextId}"` }],
      });
    }
    if (habits?.generation) checkGeneration(request, task);
    return this.#takeTurn(task, call, async () => {
      // Another message may have changed the task before this one got its turn.
      if (habits?.generation) checkGeneration(request, (await this.#records.find(id, call)).task);
      return this.#goOn(request, task, call, signal);
    });
  }

  /** Continues the skill of a waiting task after the user's decision outside A2A, without a message. */
  authorise(id: string, authorisation: UserDecision, call: TaskCall): Promise<void> {
    return this.#runner.admit(() => this.#authorise(id, authorisation, call));
  }

  async #authorise(id: string, authorisation: UserDecision, call: TaskCall): Promise<void> {
    const { task } = await this.#records.find(id, call);
    // The authorisation page does not know whether clients choose ids.
    const message = await firstMessageOf(this.#options.store, { ...call, clientIds: true }, task);
    if (task.status.state !== "TASK_STATE_AUTH_REQUIRED" || !message) throw notAsked(task);
    const said = { message, argument: "", authorisation };
    await this.#takeTurn(task, call, () => this.#play(said, task, call, { beginning: message }));
  }

  /** Runs a turn of a task that waits for one, if no other turn runs. */
  async #takeTurn<T extends { readonly rested: Promise<unknown> }>(
    task: Task,
    call: TaskCall,
    begin: () => Promise<T>,
  ): Promise<T> {
    const { store, clock } = this.#options;
    const { id } = task;
    if (isTerminal(task.status.state)) throw hasEnded(task);
    this.#runner.checkTime();
    // Unique for this turn: if a message is sent twice at once, only one may continue.
    const owner = randomUUID();
    const until = clock.now() + leaseMs;
    const claim = () =>
      store.claim(call.scope, id, owner, until).catch((error: unknown) => {
        // The release may have been written despite the error.
        void this.#letGo(call, id, owner);
        throw error;
      });
    const free = isInterrupted(task.status.state) && (await claim());
    if (!free) {
      throw new A2AError(
        "UnsupportedOperation",
        `Task ${id} is working and accepts no message until it asks for input`,
        {
          facts: { taskId: id, state: task.status.state },
        },
      );
    }
    try {
      const handled = await begin();
      // The event that ends the turn releases the task.
      void renewUntil(handled.rested, clock, leaseMs, (until) => store.renew(call.scope, id, owner, until)).catch(
        (error: unknown) => this.#options.onStoreError?.(error),
      );
      return handled;
    } catch (error) {
      if (isAway(error)) void this.#letGo(call, id, owner);
      else await store.release(call.scope, id, owner);
      throw error instanceof SequenceConflict ? hasEnded((await this.#records.find(id, call)).task) : error;
    }
  }

  /**
   * Releases a task as soon as the store is available again. Until then the task would reject its client's
   * messages although it waits for them. An expired lease needs no release.
   */
  async #letGo({ scope }: TaskCall, id: string, owner: string): Promise<void> {
    const { store, clock, onStoreError } = this.#options;
    for (const end = clock.now() + leaseMs; clock.now() < end; ) {
      try {
        return await store.release(scope, id, owner);
      } catch (error) {
        onStoreError?.(error);
        if (!isAway(error)) return;
      }
      await clock.sleep(releaseAgainMs, forever, releaseAgainMs);
    }
  }

  async #goOn(
    { message, configuration }: SendMessageRequest,
    task: Task,
    call: TaskCall,
    signal: StopSignal | undefined,
  ) {
    checkHistoryRoom(task, this.#options.limits?.historyMessages);
    const ids = idsOf(task);
    const inline = configuration?.taskPushNotificationConfig;
    if (inline) await this.#options.push.register(call, ids.id, inline);
    await this.#records.record(call, ids, { is: "message", message: saidIn(ids, message) }).catch(asRefusal);
    const said = { message, argument: textOf(message).trim() };
    const beginning = (await firstMessageOf(this.#options.store, call, task)) ?? message;
    return this.#play(said, task, call, { beginning, signal, wish: configuration?.acceptedOutputModes });
  }

  /** Starts the skill of a task again. */
  async #play(
    said: Pick<Turn, "message" | "argument" | "authorisation">,
    task: Task,
    call: TaskCall,
    how: {
      /** the message that selected the skill */
      readonly beginning: Message;
      readonly signal?: StopSignal | undefined;
      readonly wish?: readonly string[] | undefined;
    },
  ) {
    const { beginning, signal, wish } = how;
    const ids = idsOf(task);
    const cancellation = new Cancellation();
    const { skill } = this.#options.route(beginning);
    const found = await this.#records.find(ids.id, call);
    const opening = frozenCopy(found.task);
    const log = signal && this.#options.store.follow(call.scope, ids.id, found.seq, signal);
    const turn = new EngineTurn({ ...said, task: opening }, this.#options, call, ids, cancellation);
    const events = skill.run(turn);
    const accepted = this.#acceptable(wish);
    const startedAt = this.#options.clock.now();
    const growth = this.#growthOf(opening);
    const run = this.#runner.start({
      call,
      ids,
      skill,
      events,
      cancellation,
      accepted,
      startedAt,
      seq: found.seq,
      growth,
    });
    return { opening, ids, rested: run.rested, log };
  }

  #growthOf(task: Task): TaskGrowth | undefined {
    const { limits } = this.#options;
    return limits && new TaskGrowth(limits, task);
  }

  /** Returns the client's accepted media types, if the agent can meet any of them. */
  #acceptable(wish: readonly string[] | undefined): readonly string[] | undefined {
    const met = wish?.some((mode) => this.#options.outputModes.some((own) => covers(mode, own)));
    return met ? wish : undefined;
  }
}

/** Returns all messages of a task, including the agent's last one. */
const allSaidIn = ({ history = [], status: { message } }: Task): Message[] =>
  message ? [...history, message] : history;
