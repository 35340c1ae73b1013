import { defined } from "../../defined.ts";
import type { TaskPushNotificationConfig } from "../../model.ts";
import { has, type Release } from "../releases.ts";
import type { PushConfigShape, TaskPushConfigShape } from "./shapes.ts";

/**
 * Push configurations of 0.2 and 0.3 are wrapped together with their task, and have a list of authentication schemes.
 *
 * Lost on output: `tenant`, and the id before 0.2.2. Lost on input: all schemes but the first. A configuration of a
 * task without an id is named after the task, as Python and JS servers do. So a client that asks without an id finds it
 * again.
 */
export const readPushConfig = ({ id, url, token, authentication }: PushConfigShape): TaskPushNotificationConfig =>
  defined({ id, url, token, authentication: authentication && readAuthentication(authentication) });

export function readTaskPushConfig({
  taskId,
  pushNotificationConfig,
}: TaskPushConfigShape): TaskPushNotificationConfig {
  const { id, ...config } = readPushConfig(pushNotificationConfig);
  return { taskId, id: id || taskId, ...config };
}

export const writePushConfig = (config: TaskPushNotificationConfig, release: Release): PushConfigShape =>
  defined({
    id: (has(release, "pushConfigId") && config.id) || undefined,
    url: config.url,
    token: config.token,
    authentication: config.authentication && writeAuthentication(config.authentication),
  });

export const writeTaskPushConfig = (config: TaskPushNotificationConfig, release: Release): TaskPushConfigShape => ({
  taskId: config.taskId ?? "",
  pushNotificationConfig: writePushConfig(config, release),
});

type Authentication = NonNullable<TaskPushNotificationConfig["authentication"]>;
type AuthenticationShape = NonNullable<PushConfigShape["authentication"]>;

export const readAuthentication = ({ schemes, credentials }: Partial<AuthenticationShape>): Authentication =>
  defined({ scheme: schemes?.[0] ?? "", credentials });

export const writeAuthentication = ({ scheme, credentials }: Authentication): AuthenticationShape => ({
  schemes: [scheme],
  ...defined({ credentials }),
});
