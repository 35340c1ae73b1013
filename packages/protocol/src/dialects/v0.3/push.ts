import { defined } from "../../defined.ts";
import type { JsonObject, JsonValue } from "../../json.ts";
import type {
  DeleteTaskPushNotificationConfigRequest,
  GetTaskPushNotificationConfigRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTaskPushNotificationConfigsResponse,
  TaskPushNotificationConfig,
} from "../../model.ts";
import type { Codec } from "../codec.ts";
import { asIs, mending } from "../mending.ts";
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

function readTaskPushConfig({ taskId, pushNotificationConfig }: TaskPushConfigShape): TaskPushNotificationConfig {
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

const writeTaskPushConfig = (config: TaskPushNotificationConfig, release: Release): TaskPushConfigShape => ({
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

/**
 * Requests about push configurations in 0.2 and 0.3. The task is called `id`, the configuration
 * `pushNotificationConfigId`. A request without the latter means the configuration named after its task
 * (see `readTaskPushConfig`).
 *
 * Lost on output: `tenant` and paging, because a list is a bare array; before 0.2.5 the id of the configuration, and
 * with it list and delete.
 */
interface NamedShape {
  readonly id: string;
  readonly pushNotificationConfigId?: string;
}

const mend = mending(() => {});

export const taskPushConfig = (release: Release): Codec<TaskPushNotificationConfig, TaskPushConfigShape> => ({
  definition: "TaskPushNotificationConfig",
  mend,
  read: readTaskPushConfig,
  write: (config) => writeTaskPushConfig(config, release) as unknown as JsonObject,
});

const readNamed = ({ id, pushNotificationConfigId }: NamedShape): { taskId: string; id: string } => ({
  taskId: id,
  id: pushNotificationConfigId || id,
});

export const getPushRequest = (release: Release): Codec<GetTaskPushNotificationConfigRequest, NamedShape> => ({
  definition: "GetTaskPushNotificationConfigParams",
  mend,
  read: readNamed,
  write: ({ taskId, id }) => ({
    id: taskId,
    ...(has(release, "severalPushConfigs") ? { pushNotificationConfigId: id } : {}),
  }),
});

export const deletePushRequest: Codec<DeleteTaskPushNotificationConfigRequest, NamedShape> = {
  definition: "DeleteTaskPushNotificationConfigParams",
  mend,
  read: readNamed,
  write: ({ taskId, id }) => ({ id: taskId, pushNotificationConfigId: id }),
};

export const listPushRequest: Codec<ListTaskPushNotificationConfigsRequest, { readonly id: string }> = {
  definition: "TaskIdParams",
  mend,
  read: ({ id }) => ({ taskId: id }),
  write: ({ taskId }) => ({ id: taskId }),
};

export const pushList = (release: Release): Codec<ListTaskPushNotificationConfigsResponse, TaskPushConfigShape[]> => ({
  definition: "TaskPushNotificationConfigs",
  mend: asIs,
  read: (configs) => ({ configs: configs.map(readTaskPushConfig) }),
  write: ({ configs = [] }) => configs.map((config) => writeTaskPushConfig(config, release)) as unknown as JsonValue[],
});

/** A delete returns `null`; some servers omit even that. */
export const deleted: Codec<Record<string, never>> = {
  definition: null,
  mend: asIs,
  read: () => ({}),
  write: () => null,
};
