import { randomUUID } from "node:crypto";
import {
  A2AError,
  invalidParams,
  type ListTaskPushNotificationConfigsRequest,
  type ListTaskPushNotificationConfigsResponse,
  type TaskPushNotificationConfig,
} from "@assay/protocol/core";
import type { WebhookBody } from "../definition/call.ts";

export const defaultWebhooksPerTask = 50;

/** A configuration with its id and its task. */
type NamedConfig = TaskPushNotificationConfig & { readonly id: string };

/** Throws the client's error if this configuration, found at a path of its request, is invalid. */
export function checkWebhook(
  { url, token, authentication }: TaskPushNotificationConfig,
  refusal: (url: string) => string | undefined,
  at: string,
): void {
  const problem = /^https?:\/\/\S+$/i.test(url) ? refusal(url) : "must be an http or https URL";
  if (problem !== undefined) throw invalid(`${at}.url`, problem);
  // These are sent in headers of the notification, where a line break would inject headers.
  for (const [path, value] of Object.entries({
    token,
    "authentication.scheme": authentication?.scheme,
    "authentication.credentials": authentication?.credentials,
  })) {
    if (value !== undefined && !/^[\x20-\x7e]*$/.test(value))
      throw invalid(`${at}.${path}`, "must consist of visible ASCII characters");
  }
}

/** In older versions a request without an id means the configuration named after its task. */
export const named = (
  given: TaskPushNotificationConfig,
  taskId: string,
  body: WebhookBody | undefined,
): NamedConfig => ({ ...given, id: given.id || (body ? taskId : randomUUID()), taskId });

/**
 * Returns a configuration without its token and credentials: they are for the webhook, and the client that
 * set them has them (§13.2).
 */
export const withheld = ({ token: _token, authentication, ...config }: TaskPushNotificationConfig) => ({
  ...config,
  ...(authentication && { authentication: { scheme: authentication.scheme } }),
});

export const contentTypeFor = (body: WebhookBody | undefined): string =>
  body ? "application/json" : "application/a2a+json";

export const tooMany = (most: number): A2AError =>
  new A2AError("InvalidParams", `A task may have at most ${most} push configurations. Delete one first`);

/** A2A has no specific error for this: it names TaskNotFound (§3.1.8). */
export const notRegistered = (taskId: string, id: string): A2AError =>
  new A2AError("TaskNotFound", `Task ${taskId} has no push configuration ${JSON.stringify(id.slice(0, 200))}`, {
    facts: { taskId },
  });

/** Returns the requested page of a task's configurations. */
export function pageOf(
  all: readonly TaskPushNotificationConfig[],
  { pageSize, pageToken }: ListTaskPushNotificationConfigsRequest,
): ListTaskPushNotificationConfigsResponse {
  if (pageSize !== undefined && pageSize < 0) throw invalid("$.pageSize", "must not be negative");
  const start = pageToken ? all.findIndex(({ id }) => id === decode(pageToken)) + 1 : 0;
  if (pageToken && start === 0) throw invalid("$.pageToken", "was not issued by this agent for this task");
  const end = start + (pageSize || all.length);
  const configs = all.slice(start, end);
  return { configs, nextPageToken: end < all.length ? encode(configs.at(-1)!.id!) : "" };
}

const invalid = (path: string, message: string): A2AError => invalidParams([{ path, message }]);

const encode = (id: string): string => Buffer.from(id).toString("base64url");
const decode = (token: string): string => Buffer.from(token, "base64url").toString();
