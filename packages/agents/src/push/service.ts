import {
  A2AError,
  type ListTaskPushNotificationConfigsRequest,
  type ListTaskPushNotificationConfigsResponse,
  type StreamResponse,
  type Task,
  type TaskPushNotificationConfig,
} from "@assay/protocol/core";
import { Holding } from "@assay/wire/server";
import type { TaskCall, WebhookBody } from "../definition/call.ts";
import type { PushLookup, Soon } from "../definition/layers.ts";
import { footprint } from "../store/size.ts";
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
import { type PushDelivery, type PushDeliveryOptions, QueuedDelivery } from "./delivery.ts";

/**
 * The push notifications of one agent: registrations and deliveries. A task is identified by its scope too:
 * in 0.1 clients choose ids, and two callers may use the same one.
 */
export interface PushService extends PushLookup {
  /** Throws the client's error if this configuration, found at a path of its request, is invalid. */
  check(config: TaskPushNotificationConfig, path?: string): void;
  register(call: TaskCall, taskId: string, config: TaskPushNotificationConfig): Soon<TaskPushNotificationConfig>;
  delete(call: TaskCall, taskId: string, id: string): Soon<void>;
  /** Returns true if the task has a webhook; otherwise no event needs to be created. */
  wants(call: TaskCall, taskId: string): boolean;
  /** Sends an event, with the task after it. */
  notify(call: TaskCall, event: StreamResponse, task: Task): void;
  /** Deletes the webhooks of a deleted task. */
  forget(scope: string, taskId: string): void;
  close(): Soon<void>;
}

interface Registration {
  readonly body: WebhookBody | undefined;
  readonly holding: Holding;
  readonly config: TaskPushNotificationConfig;
  readonly delivery: PushDelivery;
}

/** Cost of a webhook besides its configuration: its delivery, and an occasional connection. */
const registrationBytes = 8 * 1024;

export interface PushOptions extends PushDeliveryOptions {
  /** the reason why a webhook may not be called, before anything is sent; `undefined` if it may */
  readonly refusal: (url: string) => string | undefined;
  readonly webhooksPerTask?: number;
}

export class WebhookPush implements PushService {
  readonly #options: PushOptions;
  /** by scope and task */
  readonly #tasks = new Map<string, Map<string, Registration>>();

  constructor(options: PushOptions) {
    this.#options = options;
  }

  check(config: TaskPushNotificationConfig, at = "$"): void {
    checkWebhook(config, this.#options.refusal, at);
  }

  register(call: TaskCall, taskId: string, given: TaskPushNotificationConfig): TaskPushNotificationConfig {
    const { webhookBody: body } = call;
    const key = taskKey(call.scope, taskId);
    const configs = this.#tasks.get(key) ?? new Map<string, Registration>();
    const config = named(given, taskId, body);
    const { webhooksPerTask = defaultWebhooksPerTask } = this.#options;
    if (configs.size >= webhooksPerTask && !configs.has(config.id)) throw tooMany(webhooksPerTask);
    const { account } = call;
    const holding = new Holding(this.#options.ledger, account);
    holding.charge(registrationBytes + footprint(config));
    close(configs.get(config.id));
    const recipient = { contentType: contentTypeFor(body), account, scope: call.scope };
    const delivery = new QueuedDelivery(config, this.#options, recipient);
    configs.set(config.id, { config, body, holding, delivery });
    this.#tasks.set(key, configs);
    return config;
  }

  get(call: TaskCall, taskId: string, id: string): TaskPushNotificationConfig {
    const found = this.#tasks.get(taskKey(call.scope, taskId))?.get(id);
    if (!found) throw notRegistered(taskId, id);
    return found.config;
  }

  list(call: TaskCall, request: ListTaskPushNotificationConfigsRequest): ListTaskPushNotificationConfigsResponse {
    const kept = this.#tasks.get(taskKey(call.scope, request.taskId))?.values() ?? [];
    return pageOf(
      [...kept].map(({ config }) => config),
      request,
    );
  }

  delete(call: TaskCall, taskId: string, id: string): void {
    const key = taskKey(call.scope, taskId);
    const configs = this.#tasks.get(key);
    close(configs?.get(id));
    configs?.delete(id);
    if (configs?.size === 0) this.#tasks.delete(key);
  }

  wants(call: TaskCall, taskId: string): boolean {
    return this.#tasks.size > 0 && this.#tasks.has(taskKey(call.scope, taskId));
  }

  notify(call: TaskCall, event: StreamResponse, task: Task): void {
    const configs = this.wants(call, task.id) && this.#tasks.get(taskKey(call.scope, task.id));
    if (!configs) return;
    const text = JSON.stringify(event);
    for (const { delivery, body } of configs.values()) delivery.post(body ? JSON.stringify(body.write(task)) : text);
  }

  forget(scope: string, taskId: string): void {
    this.#forget(taskKey(scope, taskId));
  }

  close(): void {
    for (const key of [...this.#tasks.keys()]) this.#forget(key);
  }

  #forget(key: string): void {
    for (const registration of this.#tasks.get(key)?.values() ?? []) close(registration);
    this.#tasks.delete(key);
  }
}

function close(registration: Registration | undefined): void {
  registration?.delivery.close();
  registration?.holding.release();
}

/** Rejects every push operation of an agent without push notifications (§3.3.4). */
export const noPush: PushService = {
  check: refuse,
  register: refuse,
  get: refuse,
  list: refuse,
  delete: refuse,
  wants: () => false,
  notify: () => {},
  forget: () => {},
  close: () => {},
};

function refuse(): never {
  throw new A2AError("PushNotificationNotSupported", "This agent does not support push notifications");
}
