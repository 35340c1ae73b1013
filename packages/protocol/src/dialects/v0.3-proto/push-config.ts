import { defined } from "../../defined.ts";
import type {
  PushNotificationConfig as ConfigShape,
  CreateTaskPushNotificationConfigRequest as CreateShape,
  TaskPushNotificationConfig as TaskConfigShape,
} from "../../generated/model-0.3-proto.ts";
import { isObject } from "../../json.ts";
import type { TaskPushNotificationConfig } from "../../model.ts";
import { type Mend, mending } from "../mending.ts";
import type { ReadingPlace } from "../place.ts";
import { readAuthentication, writeAuthentication } from "../v0.3/push.ts";
import { pushConfigName, readPushConfigName, readTaskName, taskName } from "./names.ts";

/**
 * Push configurations of `a2a.v1` are named after their task (names.ts) and have a list of authentication schemes.
 *
 * Lost on output: `tenant`. Lost on input: all schemes but the first. A configuration without an id is named after its
 * task, as in v0.3/push.ts.
 */
export const readPushConfig = ({ id, url, token, authentication }: ConfigShape): TaskPushNotificationConfig =>
  defined({ id: id || undefined, url, token, authentication: authentication && readAuthentication(authentication) });

export const writePushConfig = ({ id, url, token, authentication }: TaskPushNotificationConfig): ConfigShape =>
  defined({ id: id || undefined, url, token, authentication: authentication && writeAuthentication(authentication) });

export function readTaskPushConfig(config: TaskConfigShape, place: ReadingPlace): TaskPushNotificationConfig {
  const { taskId, id } = readPushConfigName(config.name, place.at("name"));
  return { ...readPushConfig(config.pushNotificationConfig), taskId, id };
}

export function writeTaskPushConfig(config: TaskPushNotificationConfig): TaskConfigShape {
  const { taskId = "" } = config;
  const id = config.id || taskId;
  return { name: pushConfigName(taskId, id), pushNotificationConfig: writePushConfig({ ...config, id }) };
}

/** The parent (over HTTP, the path) names the task. The id may be in three places. */
export function readCreate({ parent, configId, config }: CreateShape, place: ReadingPlace): TaskPushNotificationConfig {
  const taskId = readTaskName(parent, place.at("parent"));
  const { id, ...rest } = readPushConfig(config.pushNotificationConfig);
  return { ...rest, taskId, id: configId || id || readPushConfigName(config.name, place.at("config")).id };
}

export function writeCreate(config: TaskPushNotificationConfig): CreateShape {
  const { taskId = "" } = config;
  const id = config.id || taskId;
  return { parent: taskName(taskId), configId: id, config: writeTaskPushConfig(config) };
}

/**
 * Converts the other bodies that 0.3 clients send to create one: the configuration in its task wrapper
 * (JS), the same under `config` without a name, and the bare configuration (.NET).
 */
export const mendCreate: Mend = mending((request, place) => {
  const { parent, configId, config_id, config, ...body } = request;
  const given = config === undefined ? body : config;
  if (!isObject(given) || typeof parent !== "string") return;
  if (config === undefined) place.note("is the bare configuration; a2a.v1 has it under `config`");
  const { name, pushNotificationConfig = given["push_notification_config"], ...bare } = given;
  const inner = pushNotificationConfig ?? (bare["url"] === undefined ? undefined : bare);
  if (inner === undefined) return;
  const id = isObject(inner) && typeof inner["id"] === "string" ? inner["id"] : "";
  request["config"] = { name: name ?? `${parent}/pushNotificationConfigs/${id}`, pushNotificationConfig: inner };
});
