import {
  A2AError,
  type CancelTaskRequest,
  type GetTaskRequest,
  isTerminal,
  type ListTasksRequest,
  type ListTasksResponse,
  type SendMessageRequest,
  type SendMessageResponse,
  type StreamResponse,
  type SubscribeToTaskRequest,
  type Task,
} from "@assay/protocol";
import { SequenceConflict } from "../store/store.ts";
import { type Call, type EngineOptions, idsOf } from "./call.ts";
import { Conversation } from "./conversation.ts";
import { Ledger } from "./ledger.ts";
import { PageTokens } from "./page-token.ts";
import { asRefusal, checkHistoryLength, checkRange, notCancelable } from "./refusals.ts";
import { Runner } from "./runner.ts";
import { one, told } from "./streams.ts";
import { viewOf } from "./views.ts";

/** The life of tasks: what the operations of A2A do, apart from any wire. */
export class Engine {
  readonly #options: EngineOptions;
  readonly #ledger: Ledger;
  readonly #runner: Runner;
  readonly #conversation: Conversation;
  readonly #tokens = new PageTokens();

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#ledger = new Ledger(options);
    this.#runner = new Runner(options, this.#ledger);
    this.#conversation = new Conversation(options, this.#ledger, this.#runner);
  }

  async send(request: SendMessageRequest, call: Call): Promise<SendMessageResponse> {
    const { returnImmediately, historyLength } = request.configuration ?? {};
    const begun = await this.#conversation.begin(request, call);
    if ("message" in begun) return { message: begun.message };
    if (!returnImmediately) await begun.rested;
    const found = await this.#options.store.snapshot(call.scope, begun.ids.id);
    return { task: viewOf(found?.task ?? begun.opening, historyLength) };
  }

  /** Resolves once the answer is known to be a stream; what is wrong before that is thrown. */
  async stream(request: SendMessageRequest, call: Call, signal: AbortSignal): Promise<AsyncIterable<StreamResponse>> {
    const begun = await this.#conversation.begin(request, call, signal);
    if ("message" in begun) return one({ message: begun.message });
    return told(viewOf(begun.opening, request.configuration?.historyLength), begun.ids, begun.log!);
  }

  async subscribe(
    request: SubscribeToTaskRequest,
    call: Call,
    signal: AbortSignal,
  ): Promise<AsyncIterable<StreamResponse>> {
    const { task, seq } = await this.#ledger.find(request.id, call);
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
    return viewOf((await this.#ledger.find(request.id, call)).task, request.historyLength);
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
    const { task } = await this.#ledger.find(request.id, call);
    if (isTerminal(task.status.state)) throw notCancelable(task);
    const { metadata } = request;
    try {
      await this.#ledger.record(call, idsOf(task), { is: "cancel-requested", ...(metadata ? { metadata } : {}) });
      await this.#runner.stop(task.id);
      await this.#ledger.record(call, idsOf(task), this.#ledger.status("TASK_STATE_CANCELED"));
    } catch (error) {
      // It has ended meanwhile, most often because the skill heard us; how it ended decides.
      if (!(error instanceof SequenceConflict)) throw error;
    }
    const { task: now } = await this.#ledger.find(request.id, call);
    if (now.status.state !== "TASK_STATE_CANCELED") throw notCancelable(now);
    return viewOf(now, undefined);
  }

  /** Whether the caller may see the task; for what is kept beside tasks. */
  async require(id: string, call: Call): Promise<void> {
    await this.#ledger.find(id, call);
  }

  /** Ends all work; for shutdown. */
  async close(): Promise<void> {
    await this.#runner.stopAll();
  }
}
