import type { Messages } from "./generated/model.ts";

interface OperationShape {
  readonly request: keyof Messages;
  /** the message of the response, or of each event of a stream; `null` for an empty response */
  readonly answer: keyof Messages | null;
  readonly streams?: true;
}

/** The eleven operations of A2A 1.0. Their names are the JSON-RPC methods and the gRPC calls. */
export const operations = {
  SendMessage: { request: "SendMessageRequest", answer: "SendMessageResponse" },
  SendStreamingMessage: { request: "SendMessageRequest", answer: "StreamResponse", streams: true },
  GetTask: { request: "GetTaskRequest", answer: "Task" },
  ListTasks: { request: "ListTasksRequest", answer: "ListTasksResponse" },
  CancelTask: { request: "CancelTaskRequest", answer: "Task" },
  SubscribeToTask: { request: "SubscribeToTaskRequest", answer: "StreamResponse", streams: true },
  CreateTaskPushNotificationConfig: { request: "TaskPushNotificationConfig", answer: "TaskPushNotificationConfig" },
  GetTaskPushNotificationConfig: {
    request: "GetTaskPushNotificationConfigRequest",
    answer: "TaskPushNotificationConfig",
  },
  ListTaskPushNotificationConfigs: {
    request: "ListTaskPushNotificationConfigsRequest",
    answer: "ListTaskPushNotificationConfigsResponse",
  },
  DeleteTaskPushNotificationConfig: { request: "DeleteTaskPushNotificationConfigRequest", answer: null },
  GetExtendedAgentCard: { request: "GetExtendedAgentCardRequest", answer: "AgentCard" },
} as const satisfies Record<string, OperationShape>;

export type Operation = keyof typeof operations;

export type RequestOf<O extends Operation> = Messages[(typeof operations)[O]["request"]];

export type AnswerOf<O extends Operation> = (typeof operations)[O]["answer"] extends infer A
  ? A extends keyof Messages
    ? Messages[A]
    : Record<string, never>
  : never;

/** Operations that respond with a stream of events. */
export type StreamingOperation = {
  [O in Operation]: (typeof operations)[O] extends { streams: true } ? O : never;
}[Operation];

export type UnaryOperation = Exclude<Operation, StreamingOperation>;

export const isStreaming = (operation: Operation): operation is StreamingOperation =>
  "streams" in operations[operation];
