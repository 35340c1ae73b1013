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
import { readTaskPushConfig, writeTaskPushConfig } from "./push-config.ts";
import type { TaskPushConfigShape } from "./shapes.ts";

/**
 * Requests about push configurations in 0.2 and 0.3. The task is called `id`, the configuration
 * `pushNotificationConfigId`. A request without the latter means the configuration named after its task
 * (push-config.ts).
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
