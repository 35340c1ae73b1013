/**
 * What checks say about older versions where another name for a thing is not enough: the thing itself was another. `proto` is
 * 0.3 over HTTP+JSON and gRPC.
 */
interface OlderWords {
  readonly id: string;
  readonly of: readonly ("0.3" | "0.2" | "0.1" | "proto")[];
  readonly title?: string;
  readonly remedy?: string;
}

export const olderWords: readonly OlderWords[] = [
  {
    id: "CARD-002",
    of: ["0.3", "proto"],
    remedy: "Give every member of the card the type that the schema of its version has for it.",
  },
  {
    id: "CARD-037",
    of: ["0.3", "0.2", "proto"],
    remedy: "Declare every scheme that `security` names in `securitySchemes`, under that very name.",
  },
  {
    id: "CARD-017",
    of: ["0.3", "proto"],
    remedy: "Add an entry to `additionalInterfaces` for every transport that is served, or stop serving it.",
  },
  {
    id: "CARD-045",
    of: ["0.3", "0.2", "proto"],
    remedy: "Declare in `securitySchemes` how clients authenticate, and in `security` that they have to.",
  },
  {
    id: "SEND-001",
    of: ["0.3", "0.2"],
    title: "message/send answers with a Task or with a Message",
    remedy: "Return the Task or the Message itself as the result, with its `kind`, and no wrapper around it.",
  },
  {
    id: "SEND-001",
    of: ["0.1"],
    title: "tasks/send answers with a task",
    remedy: "Return the Task itself as the result of tasks/send, with its `id` and `status`, and no wrapper around it.",
  },
  {
    id: "SEND-010",
    of: ["0.3", "0.2", "proto"],
    title: "a blocking send answers when the task has ended or waits for something",
    remedy: "With `configuration.blocking: true`, answer only when the task is in a terminal or an interrupted state.",
  },
  {
    id: "SEND-012",
    of: ["0.3", "proto"],
    title: "a send that does not block answers as soon as the task is there",
    remedy: "With `configuration.blocking: false`, answer as soon as the task exists and work on afterwards.",
  },
  {
    id: "SEND-014",
    of: ["0.3", "0.2", "proto"],
    title: "blocking changes nothing about an answer that is a message",
    remedy: "Ignore `configuration.blocking` where the answer is a Message, and return the whole Message.",
  },
  {
    id: "SEND-015",
    of: ["0.3", "0.2", "proto"],
    title: "blocking changes nothing about a stream",
    remedy: "Ignore `configuration.blocking` in a streaming call, and stream until the task has ended.",
  },
  {
    id: "GET-005",
    of: ["0.3", "0.2", "0.1"],
    remedy: "Return the Task as the result of tasks/get, with `id` and `status` at the top, and no wrapper around it.",
  },
  {
    id: "LIFE-001",
    of: ["0.3", "0.2"],
    remedy: "Set `status.state` to one of the states of the schema, such as `working` or `completed`.",
  },
  {
    id: "STREAM-001",
    of: ["0.3", "0.2"],
    remedy: "Answer message/stream with text/event-stream, or set capabilities.streaming to false.",
  },
  {
    id: "STREAM-001",
    of: ["0.1"],
    remedy: "Answer tasks/sendSubscribe with text/event-stream, or set capabilities.streaming to false.",
  },
  {
    id: "STREAM-008",
    of: ["0.3", "0.2"],
    title: "every event is a Task, a Message, a status update or an artifact update",
    remedy: "Send each event as the thing itself with its `kind`: task, message, status-update or artifact-update.",
  },
  {
    id: "CANCEL-007",
    of: ["0.3", "0.2", "0.1"],
    remedy: "Read `id` (required) and `metadata` (any object, optional) from the params of tasks/cancel.",
  },
  {
    id: "JSONRPC-001",
    of: ["0.3", "0.2", "0.1"],
    remedy: "Serve JSON-RPC 2.0 by POST at the very `url` that the card gives for it.",
  },
  {
    id: "REST-011",
    of: ["proto"],
    title: "the authenticated extended card is at GET /v1/card",
    remedy: "Serve GET /v1/card: the extended card, or an error where there is none.",
  },
  {
    id: "REST-036",
    of: ["proto"],
    remedy: "Answer GET /v1/tasks/{id} for an unknown id with 404.",
  },
  {
    id: "GRPC-017",
    of: ["proto"],
    remedy: "End TaskSubscription for an unknown task with NOT_FOUND, before any message.",
  },
  {
    id: "BIND-002",
    of: ["0.3", "proto"],
    remedy: "Keep tasks in one store behind all transports, so that each of them shows the same task.",
  },
  {
    id: "PUSH-005",
    of: ["0.3", "0.2", "proto"],
    remedy: "Answer with what was set: the taskId, and under pushNotificationConfig its url and the rest.",
  },
  {
    id: "DATA-019",
    of: ["0.3", "0.2"],
    remedy: 'Keep role "user" on the client\'s messages in history, and answer with role "agent".',
  },
  {
    id: "PUSH-048",
    of: ["0.3", "0.2"],
    remedy: "Answer tasks/pushNotificationConfig/list with an empty list where the task has none.",
  },
];
