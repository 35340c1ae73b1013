import {
  type DialectVersion,
  isTerminal,
  type ListTaskPushNotificationConfigsRequest,
  type ListTaskPushNotificationConfigsResponse,
  type StreamResponse,
  type Task,
  type TaskPushNotificationConfig,
} from "@assay/protocol/core";
import type { TaskCall, WebhookBody } from "../definition/call.ts";
import type { DeadLetterReason } from "../store/dead-letter.ts";
import type { WebhookRecords } from "../store/sql/webhook-records.ts";
import { taskKey } from "../store/store.ts";
import {
  checkWebhook,
  contentTypeFor,
  defaultWebhooksPerTask,
  named,
  notRegistered,
  pageOf,
  tooMany,
} from "./configs.ts";
import { type PushDelivery, QueuedDelivery } from "./delivery.ts";
import type { PushOptions, PushService } from "./service.ts";

interface StoredPushOptions extends PushOptions {
  readonly webhooks: WebhookRecords;
  /** the notification format for webhooks registered in this version */
  readonly bodyIn: (version: DialectVersion) => Promise<WebhookBody>;
  readonly onError: (error: unknown) => void;
}

/** The running notifications of one task. */
interface Telling {
  /** by configuration, as serialized */
  readonly deliveries: Map<string, PushDelivery>;
  /** settles when all events so far have been passed to their deliveries */
  done: Promise<void>;
}

/**
 * Push notifications with configurations in a database. They are read for each event, because another server
 * may have added or deleted one. Running notifications are in memory, and in the outbox for the servers that
 * follow.
 */
export class StoredPush implements PushService {
  readonly #options: StoredPushOptions;
  readonly #tellings = new Map<string, Telling>();
  /** deliveries of ended tasks, which get no further events */
  readonly #lastWords = new Set<PushDelivery>();

  constructor(options: StoredPushOptions) {
    this.#options = options;
  }

  check(config: TaskPushNotificationConfig, at = "$"): void {
    checkWebhook(config, this.#options.refusal, at);
  }

  async register(
    { scope, webhookBody: body }: TaskCall,
    taskId: string,
    given: TaskPushNotificationConfig,
  ): Promise<TaskPushNotificationConfig> {
    const config = named(given, taskId, body);
    const record = { config, version: body?.version };
    const { webhooks, webhooksPerTask = defaultWebhooksPerTask } = this.#options;
    if (!(await webhooks.put(scope, taskId, record, webhooksPerTask))) throw tooMany(webhooksPerTask);
    return config;
  }

  async get({ scope }: TaskCall, taskId: string, id: string): Promise<TaskPushNotificationConfig> {
    const found = (await this.#options.webhooks.of(scope, taskId)).find(({ config }) => config.id === id);
    if (!found) throw notRegistered(taskId, id);
    return found.config;
  }

  async list(
    { scope }: TaskCall,
    request: ListTaskPushNotificationConfigsRequest,
  ): Promise<ListTaskPushNotificationConfigsResponse> {
    const kept = await this.#options.webhooks.of(scope, request.taskId);
    return pageOf(
      kept.map(({ config }) => config),
      request,
    );
  }

  delete({ scope }: TaskCall, taskId: string, id: string): Promise<void> {
    return this.#options.webhooks.delete(scope, taskId, id);
  }

  wants({ scope }: TaskCall, taskId: string): boolean {
    return this.#options.webhooks.isWatched(scope, taskId);
  }

  notify(call: TaskCall, event: StreamResponse, task: Task): void {
    if (!this.wants(call, task.id)) return;
    const key = taskKey(call.scope, task.id);
    const telling = this.#tellings.get(key) ?? { deliveries: new Map(), done: Promise.resolve() };
    this.#tellings.set(key, telling);
    // Serialized now, because the task may change before the event is sent.
    const text = JSON.stringify(event);
    const ends = isTerminal(event.statusUpdate?.status.state ?? "TASK_STATE_UNSPECIFIED");
    telling.done = telling.done
      .then(() => this.#tell(telling, call, text, task))
      .catch(this.#options.onError)
      .then(() => {
        if (ends) this.#settle(key, call.scope, task.id);
      });
  }

  async #tell({ deliveries }: Telling, { scope, account }: TaskCall, text: string, task: Task): Promise<void> {
    const kept = await this.#options.webhooks.of(scope, task.id);
    const texts = new Set(kept.map(({ config }) => JSON.stringify(config)));
    for (const [known, delivery] of deliveries) {
      if (texts.has(known)) continue;
      delivery.close();
      deliveries.delete(known);
    }
    for (const { config, version } of kept) {
      const body = version && (await this.#options.bodyIn(version));
      const name = JSON.stringify(config);
      const recipient = { contentType: contentTypeFor(body), account, scope };
      const delivery = deliveries.get(name) ?? new QueuedDelivery(config, this.#options, recipient);
      deliveries.set(name, delivery);
      delivery.post(body ? JSON.stringify(body.write(task)) : text);
    }
  }

  #settle(key: string, scope: string, taskId: string): void {
    for (const delivery of this.#tellings.get(key)?.deliveries.values() ?? []) {
      this.#lastWords.add(delivery);
      delivery.finish(() => this.#lastWords.delete(delivery));
    }
    this.#tellings.delete(key);
    this.#options.webhooks.settle(scope, taskId);
  }

  forget(scope: string, taskId: string): void {
    this.#close(taskKey(scope, taskId));
  }

  /** Stores unsent notifications as undelivered, so that their caller finds them when the server is back. */
  async close(): Promise<void> {
    await Promise.all([...this.#tellings.values()].map(({ done }) => done));
    for (const key of [...this.#tellings.keys()]) this.#close(key, "stopped");
    for (const delivery of this.#lastWords) delivery.close("stopped");
    this.#lastWords.clear();
  }

  #close(key: string, reason?: DeadLetterReason): void {
    for (const delivery of this.#tellings.get(key)?.deliveries.values() ?? []) delivery.close(reason);
    this.#tellings.delete(key);
  }
}
