import { defined } from "../../defined.ts";
import type { JsonObject } from "../../json.ts";
import type { GetTaskPushNotificationConfigRequest, TaskPushNotificationConfig } from "../../model.ts";
import type { Codec } from "../codec.ts";
import { mendId, mending } from "../mending.ts";
import { readAuthentication, writeAuthentication } from "../v0.3/push.ts";
import type { PushConfigShape } from "./shapes.ts";

/**
 * A task of 0.1 has one push configuration without an id; it is read under the id of its task. The task is called `id`,
 * also in the wrapper. There is no list (it would equal get) and no delete.
 *
 * Lost on output: `id`, `tenant`. Lost on input: all authentication schemes but the first.
 */
export const readPushConfig = ({ url, token, authentication }: PushConfigShape): TaskPushNotificationConfig =>
  defined({ url, token, authentication: authentication && readAuthentication(authentication) });

export const writePushConfig = ({ url, token, authentication }: TaskPushNotificationConfig): PushConfigShape =>
  defined({ url, token, authentication: authentication && writeAuthentication(authentication) });

interface TaskPushConfigShape {
  readonly id: string;
  readonly pushNotificationConfig: PushConfigShape;
}

export const taskPushConfig: Codec<TaskPushNotificationConfig, TaskPushConfigShape> = {
  definition: "TaskPushNotificationConfig",
  mend: (json, place, exchange) => mending((config) => mendId(config, place, exchange.taskId))(json, place),
  read: ({ id, pushNotificationConfig }) => ({ taskId: id, id, ...readPushConfig(pushNotificationConfig) }),
  write: (config) => ({
    id: config.taskId ?? "",
    pushNotificationConfig: writePushConfig(config) as unknown as JsonObject,
  }),
};

export const getPushRequest: Codec<GetTaskPushNotificationConfigRequest, { readonly id: string }> = {
  definition: "TaskIdParams",
  mend: mending(mendId),
  read: ({ id }) => ({ taskId: id, id }),
  write: ({ taskId }) => ({ id: taskId }),
};
