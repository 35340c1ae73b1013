import { randomUUID } from "node:crypto";
import {
  A2AError,
  type CancelTaskRequest,
  type GetTaskRequest,
  isResting,
  isTerminal,
  type ListTasksRequest,
  type ListTasksResponse,
  type SendMessageRequest,
  type SendMessageResponse,
  type StreamResponse,
  type SubscribeToTaskRequest,
  type Task,
} from "@assay/protocol/core";
import type { StopSignal } from "@assay/wire/server";
import type { TaskCall } from "../definition/call.ts";
import type { SkillEvent, UserDecision } from "../definition/skill.ts";
import { SequenceConflict, type TaskEvent, type TaskLog } from "../store/store.ts";
import { generationIn, leastLongPollMs, longPollMs, untilNewer } from "./generation.ts";
import { MessageHandler } from "./message-handler.ts";
import type { EngineOptions } from "./options.ts";
import { PageTokens } from "./page-token.ts";
import { waitAtMost } from "./patience.ts";
import { asRefusal, checkHistoryLength, checkRange, notCancelable } from "./refusals.ts";
import { Runner, storeWasAway } from "./runner.ts";
import { single, UpdateStream } from "./streams.ts";
import { idsOf, type TaskIds } from "./task-ids.ts";
import { TaskRecords } from "./task-records.ts";
import { recordOf, viewOf } from "./views.ts";

const serverStopped = "The server stopped before this task was done. Send the message again.";

/** The time that a send in 0.1 waits for its task to rest. */
const olderPatienceMs = 1_000;

/** Implements the A2A operations on tasks, independent of any binding. */
export class Engine {
  readonly #options: EngineOptions;
  readonly #records: TaskRecords;
  readonly #runner: Runner;
  readonly #messages: MessageHandler;
  readonly #tokens: PageTokens;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#tokens = options.tokens ?? new PageTokens();
    this.#records = new TaskRecords(options, (call, ids) => void this.#expire(call, ids));
    this.#runner = new Runner(options, this.#records);
    this.#messages = new MessageHandler(options, this.#records, this.#runner);
  }

  async send(request: SendMessageRequest, call: TaskCall): Promise<SendMessageResponse> {
    const { returnImmediately, historyLength } = request.configuration ?? {};
    const handled = await this.#messages.handle(request, call);
    if ("message" in handled) return { message: handled.message };
    const trouble = returnImmediately ? undefined : await this.#untilAnswered(handled.rested, call);
    if (trouble !== undefined) throw trouble;
    // A caller that does not wait sees the task as it started, however quick its skill is.
    const found = returnImmediately ? undefined : await this.#options.store.snapshot(call.scope, handled.ids.id);
    return { task: viewOf(found?.task ?? handled.opening, historyLength) };
  }

  /** A 0.1 client cannot ask not to wait: a slow task is returned as it is, and the client polls. */
  #untilAnswered(rested: Promise<unknown>, { clientIds }: TaskCall): Promise<unknown> {
    return clientIds ? waitAtMost(this.#options.clock, olderPatienceMs, rested) : rested;
  }

  /** Resolves once the response is known to be a stream. Earlier errors are thrown. */
  async stream(
    request: SendMessageRequest,
    call: TaskCall,
    signal: StopSignal,
  ): Promise<AsyncIterable<StreamResponse>> {
    const handled = await this.#messages.handle(request, call, signal);
    if ("message" in handled) return single({ message: handled.message });
    return new UpdateStream(viewOf(handled.opening, request.configuration?.historyLength), handled.ids, handled.log!);
  }

  async subscribe(
    request: SubscribeToTaskRequest,
    call: TaskCall,
    signal: StopSignal,
  ): Promise<AsyncIterable<StreamResponse>> {
    const { task, seq } = await this.#records.find(request.id, call);
    if (isTerminal(task.status.state)) {
      throw new A2AError(
        "UnsupportedOperation",
        `Task ${task.id} has ended. Use GetTask instead of subscribing to it`,
        {
          facts: { taskId: task.id },
        },
      );
    }
    const log = this.#options.store.follow(call.scope, task.id, seq, signal);
    return new UpdateStream(viewOf(task, undefined), idsOf(task), log);
  }

  async get(request: GetTaskRequest, call: TaskCall, signal?: StopSignal): Promise<Task> {
    checkHistoryLength(request.historyLength, "$.historyLength");
    const isCounting = this.#options.habits?.generation;
    const known = isCounting ? generationIn(request.currentGeneration, "$.currentGeneration") : undefined;
    if (known !== undefined) await this.#untilNewer(request.id, call, known, signal);
    return viewOf((await this.#records.find(request.id, call)).task, request.historyLength);
  }

  /** Waits until a task has changed since the client read it, but not for ever. */
  async #untilNewer(id: string, call: TaskCall, known: bigint, signal: StopSignal | undefined): Promise<void> {
    const { store, clock } = this.#options;
    const { task, seq } = await this.#records.find(id, call);
    if (BigInt(task.generation ?? "0") > known) return;
    const enough = new AbortController();
    const leave = (): void => enough.abort();
    signal?.addEventListener("abort", leave);
    const newer = untilNewer(store.follow(call.scope, id, seq, enough.signal), task, known);
    await waitAtMost(clock, longPollMs, newer, leastLongPollMs);
    signal?.removeEventListener("abort", leave);
    enough.abort();
  }

  async list(request: ListTasksRequest, call: TaskCall): Promise<ListTasksResponse> {
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

  async cancel(request: CancelTaskRequest, call: TaskCall): Promise<Task> {
    const { task } = await this.#records.find(request.id, call);
    if (isTerminal(task.status.state)) throw notCancelable(task);
    const { metadata } = request;
    try {
      const asked: TaskEvent = { is: "cancel-requested", ...(metadata ? { metadata } : {}) };
      const seq = await this.#records.record(call, idsOf(task), asked);
      if (!(await this.#runner.stop(call, task.id))) await this.#stopElsewhere(call, task.id, seq);
      await this.#records.record(call, idsOf(task), this.#records.status("TASK_STATE_CANCELED"));
    } catch (error) {
      // The task has ended meanwhile, mostly because the skill was aborted. Its final state
      // decides.
      if (!(error instanceof SequenceConflict)) throw error;
    }
    const { task: now } = await this.#records.find(request.id, call);
    if (now.status.state !== "TASK_STATE_CANCELED") throw notCancelable(now);
    return viewOf(now, undefined);
  }

  /**
   * Requests cancellation through the log, where the server that works on the task reads it. Its skill can
   * end the task itself, as a local skill can.
   */
  async #stopElsewhere({ scope }: TaskCall, id: string, seq: number): Promise<void> {
    const { store } = this.#options;
    if (!(await store.isElsewhere(scope, id))) return;
    const enough = new AbortController();
    await this.#runner.grace(untilRest(store.follow(scope, id, seq, enough.signal)));
    enough.abort();
  }

  /** Stops the skill of a task on behalf of another server, which finishes the cancellation. */
  async stop(scope: string, id: string): Promise<void> {
    await this.#runner.stop({ scope }, id);
  }

  /** Ends a task whose server stopped or whose store was unavailable. */
  async abandon(call: TaskCall, id: string, gone: "server" | "store" = "server"): Promise<void> {
    const { task } = await this.#records.find(id, call);
    await this.#fail(call, idsOf(task), gone === "server" ? serverStopped : storeWasAway);
  }

  /** Ends a task that has waited too long. */
  async expire(call: TaskCall, id: string): Promise<void> {
    await this.#expire(call, idsOf((await this.#records.find(id, call)).task));
  }

  /** Ends a task without activity for too long, whether the client or the skill is the cause. */
  async #expire(call: TaskCall, ids: TaskIds): Promise<void> {
    await this.#fail(call, ids, "The agent ended this task because it had no activity for too long.");
    await this.#runner.stop(call, ids.id);
  }

  async #fail(call: TaskCall, ids: TaskIds, why: string): Promise<void> {
    const parts = [{ text: why }];
    const failed: SkillEvent = { is: "status", state: "TASK_STATE_FAILED", parts };
    const stamp = { now: this.#options.clock.now(), newId: randomUUID, marks: {} };
    try {
      await this.#records.record(call, ids, recordOf(failed, ids, stamp));
    } catch (error) {
      // The task has ended or was deleted meanwhile.
      if (!(error instanceof SequenceConflict)) throw error;
    }
  }

  /** Continues or ends a waiting task after the user authorised or declined it outside A2A. */
  async authorise(id: string, authorisation: UserDecision, call: TaskCall): Promise<void> {
    await this.#messages.authorise(id, authorisation, call);
  }

  /** Throws if the caller may not see the task. Used for data that belongs to a task. */
  async require(id: string, call: TaskCall): Promise<void> {
    await this.#records.find(id, call);
  }

  /**
   * Lets running skills finish for this long, then ends the rest; for shutdown. Returns how many tasks it
   * ended.
   */
  close(graceMs = 0): Promise<number> {
    return this.#runner.close(graceMs, "The server is shutting down before this task is done. Send the message again.");
  }
}

/** Reads a log until the task rests. */
async function untilRest(log: TaskLog): Promise<void> {
  for await (const batch of log)
    if (batch.some((event) => event.is === "status" && isResting(event.status.state))) return;
}
