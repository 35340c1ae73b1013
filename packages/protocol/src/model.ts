export type {
  AgentCapabilities,
  AgentCard,
  AgentCardSignature,
  AgentExtension,
  AgentInterface,
  AgentSkill,
  Artifact,
  CancelTaskRequest,
  DeleteTaskPushNotificationConfigRequest,
  GetExtendedAgentCardRequest,
  GetTaskPushNotificationConfigRequest,
  GetTaskRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTaskPushNotificationConfigsResponse,
  ListTasksRequest,
  ListTasksResponse,
  Message,
  Messages,
  Part,
  Role,
  SecurityScheme,
  SendMessageConfiguration,
  SendMessageRequest,
  SendMessageResponse,
  StreamResponse,
  SubscribeToTaskRequest,
  Task,
  TaskArtifactUpdateEvent,
  TaskPushNotificationConfig,
  TaskState,
  TaskStatus,
  TaskStatusUpdateEvent,
} from "./generated/model.ts";

import type { TaskState } from "./generated/model.ts";

/** Final states: the task accepts no further message, cancel or subscription. */
export const isTerminal = (state: TaskState): boolean =>
  state === "TASK_STATE_COMPLETED" ||
  state === "TASK_STATE_FAILED" ||
  state === "TASK_STATE_CANCELED" ||
  state === "TASK_STATE_REJECTED";

/** States that wait for the client: a blocking send returns here, and a follow-up message continues the task. */
export const isInterrupted = (state: TaskState): boolean =>
  state === "TASK_STATE_INPUT_REQUIRED" || state === "TASK_STATE_AUTH_REQUIRED";

export const isResting = (state: TaskState): boolean => isTerminal(state) || isInterrupted(state);
