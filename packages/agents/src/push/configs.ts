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

/** A configuration that has an id and knows its task. */
type NamedConfig = TaskPushNotificationConfig & { readonly id: string };

/** Throws what a client has to hear when this configuration, found at a path of its request, cannot be taken. */
export function checkWebhook(
  { url, token, authentication }: TaskPushNotificationConfig,
  refusal: (url: string) => string | undefined,
  at: string,
): void {
  const problem = /^https?:\/\/\S+$/i.test(url) ? refusal(url) : "must be an http or https URL";
  if (problem !== undefined) throw invalid(`${at}.url`, problem);
  // These travel in headers of the notification: a line break in them would write headers of its own.
  for (const [path, value] of Object.entries({
    token,
    "authentication.scheme": authentication?.scheme,
    "authentication.credentials": authentication?.credentials,
  })) {
    if (value !== undefined && !/^[\x20-\x7e]*$/.test(value))
      throw invalid(`${at}.${path}`, "must consist of visible ASCII characters");
  }
}

/** Those who are told in the words of an older version may ask without an id, and mean the one called after its task. */
export const named = (
  given: TaskPushNotificationConfig,
  taskId: string,
  body: WebhookBody | undefined,
): NamedConfig => ({ ...given, id: given.id || (body ? taskId : randomUUID()), taskId });

/** A configuration as it is shown: token and credentials are for the webhook, and the client that gave them has them (§13.2). */
export const withheld = ({ token: _token, authentication, ...config }: TaskPushNotificationConfig) => ({
  ...config,
  ...(authentication && { authentication: { scheme: authentication.scheme } }),
});

export const contentTypeFor = (body: WebhookBody | undefined): string =>
  body ? "application/json" : "application/a2a+json";

export const tooMany = (most: number): A2AError =>
  new A2AError("InvalidParams", `A task may have at most ${most} push configurations. Delete one first`);

/** A2A has no error of its own for this: TaskNotFound is the one it names (§3.1.8). */
export const notRegistered = (taskId: string, id: string): A2AError =>
  new A2AError("TaskNotFound", `Task ${taskId} has no push configuration ${JSON.stringify(id.slice(0, 200))}`, {
    facts: { taskId },
  });

/** The page of all configurations of a task that a client asks for. */
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
