import { randomUUID } from "node:crypto";
import {
  A2AError,
  invalidParams,
  type JsonValue,
  type ListTaskPushNotificationConfigsRequest,
  type ListTaskPushNotificationConfigsResponse,
  type StreamResponse,
  type Task,
  type TaskPushNotificationConfig,
} from "@assay/protocol/core";
import { Holding } from "@assay/wire/server";
import { footprint } from "../store/size.ts";
import { taskKey } from "../store/store.ts";
import { deliveryTo, type PushDelivery, type PushDeliveryOptions } from "./delivery.ts";

/** Of a request, what push notifications have to know: whose tasks it may reach, and how its webhooks are told. */
export interface PushCall {
  /** the tasks that the caller can see: those of this agent, tenant and caller */
  readonly scope: string;
  /** where what is held for the caller is charged */
  readonly account: string;
  /** what webhooks that the caller registers are sent, where that is not the event itself */
  readonly webhookBody?: WebhookBody | undefined;
}

/**
 * Push notifications of one agent: who wants to hear of which task, and the telling. A task is one of its scope: in
 * 0.1 clients choose the ids, and that of one caller may be that of another.
 */
export interface PushService {
  /** Throws what a client has to hear when this configuration, found at a path of its request, cannot be taken. */
  check(config: TaskPushNotificationConfig, path?: string): void;
  register(call: PushCall, taskId: string, config: TaskPushNotificationConfig): TaskPushNotificationConfig;
  get(call: PushCall, taskId: string, id: string): TaskPushNotificationConfig;
  list(call: PushCall, request: ListTaskPushNotificationConfigsRequest): ListTaskPushNotificationConfigsResponse;
  delete(call: PushCall, taskId: string, id: string): void;
  /** Whether a webhook is registered for the task: without one, no event has to be made. */
  wants(call: PushCall, taskId: string): boolean;
  /** Tells of an event, and of the task as it stands behind it. */
  notify(call: PushCall, event: StreamResponse, task: Task): void;
  /** The task is gone, and its webhooks go with it. */
  forget(scope: string, taskId: string): void;
  close(): void;
}

/** Before 1.0 a webhook was told the task as it stands, in the words of the dialect it was registered in. */
export type WebhookBody = (task: Task) => JsonValue;

interface Registration {
  readonly body: WebhookBody | undefined;
  readonly holding: Holding;
  readonly config: TaskPushNotificationConfig;
  readonly delivery: PushDelivery;
}

const currentType = "application/a2a+json";
const olderType = "application/json";

const maxConfigsPerTask = 50;
/** What a webhook costs besides its configuration: what delivers to it, and a connection now and then. */
const registrationBytes = 8 * 1024;

export interface PushOptions extends PushDeliveryOptions {
  /** why a webhook may not be called, before anything is sent; `undefined` when it may */
  readonly refusal: (url: string) => string | undefined;
}

export class WebhookPush implements PushService {
  readonly #options: PushOptions;
  /** by scope and task */
  readonly #tasks = new Map<string, Map<string, Registration>>();

  constructor(options: PushOptions) {
    this.#options = options;
  }

  check({ url, token, authentication }: TaskPushNotificationConfig, at = "$"): void {
    const problem = /^https?:\/\/\S+$/i.test(url) ? this.#options.refusal(url) : "has to be an http or https URL";
    if (problem !== undefined) throw invalid(`${at}.url`, problem);
    // These travel in headers of the notification: a line break in them would write headers of its own.
    for (const [path, value] of Object.entries({
      token,
      "authentication.scheme": authentication?.scheme,
      "authentication.credentials": authentication?.credentials,
    })) {
      if (value !== undefined && !/^[\x20-\x7e]*$/.test(value))
        throw invalid(`${at}.${path}`, "has to consist of visible ASCII characters");
    }
  }

  register(call: PushCall, taskId: string, given: TaskPushNotificationConfig): TaskPushNotificationConfig {
    const { webhookBody: body } = call;
    const key = taskKey(call.scope, taskId);
    const configs = this.#tasks.get(key) ?? new Map<string, Registration>();
    // Those who are told in the words of an older version may ask without an id, and mean the one called after its task.
    const config = { ...given, id: given.id || (body ? taskId : randomUUID()), taskId };
    if (configs.size >= maxConfigsPerTask && !configs.has(config.id)) {
      throw new A2AError(
        "InvalidParams",
        `A task takes at most ${maxConfigsPerTask} push configurations; delete one first`,
      );
    }
    const { account } = call;
    const holding = new Holding(this.#options.ledger, account);
    holding.charge(registrationBytes + footprint(config));
    close(configs.get(config.id));
    const contentType = body ? olderType : currentType;
    configs.set(config.id, {
      config,
      body,
      holding,
      delivery: deliveryTo(config, this.#options, { contentType, account }),
    });
    this.#tasks.set(key, configs);
    return config;
  }

  get(call: PushCall, taskId: string, id: string): TaskPushNotificationConfig {
    const found = this.#tasks.get(taskKey(call.scope, taskId))?.get(id);
    if (found) return found.config;
    // A2A has no error of its own for this: TaskNotFound is the one it names (§3.1.8).
    throw new A2AError("TaskNotFound", `Task ${taskId} has no push configuration ${JSON.stringify(id.slice(0, 200))}`, {
      facts: { taskId },
    });
  }

  list(
    call: PushCall,
    { taskId, pageSize, pageToken }: ListTaskPushNotificationConfigsRequest,
  ): ListTaskPushNotificationConfigsResponse {
    const all = [...(this.#tasks.get(taskKey(call.scope, taskId))?.values() ?? [])].map(({ config }) => config);
    if (pageSize !== undefined && pageSize < 0) throw invalid("$.pageSize", "must not be negative");
    const start = pageToken ? all.findIndex(({ id }) => id === decode(pageToken)) + 1 : 0;
    if (pageToken && start === 0) throw invalid("$.pageToken", "was not issued by this agent for this task");
    const end = start + (pageSize || maxConfigsPerTask);
    const configs = all.slice(start, end);
    return { configs, nextPageToken: end < all.length ? encode(configs.at(-1)!.id!) : "" };
  }

  delete(call: PushCall, taskId: string, id: string): void {
    const key = taskKey(call.scope, taskId);
    const configs = this.#tasks.get(key);
    close(configs?.get(id));
    configs?.delete(id);
    if (configs?.size === 0) this.#tasks.delete(key);
  }

  wants(call: PushCall, taskId: string): boolean {
    return this.#tasks.size > 0 && this.#tasks.has(taskKey(call.scope, taskId));
  }

  notify(call: PushCall, event: StreamResponse, task: Task): void {
    const configs = this.wants(call, task.id) && this.#tasks.get(taskKey(call.scope, task.id));
    if (!configs) return;
    const text = JSON.stringify(event);
    for (const { delivery, body } of configs.values()) delivery.post(body ? JSON.stringify(body(task)) : text);
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

const invalid = (path: string, message: string): A2AError => invalidParams([{ path, message }]);

const encode = (id: string): string => Buffer.from(id).toString("base64url");
const decode = (token: string): string => Buffer.from(token, "base64url").toString();

/** An agent that does not offer push notifications says so to everybody who asks (§3.3.4). */
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
  throw new A2AError("PushNotificationNotSupported", "This agent does not send push notifications");
}
