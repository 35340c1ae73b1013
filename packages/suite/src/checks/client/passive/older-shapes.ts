import { type DialectVersion, type Operation, type Violation, validateDialect } from "@assay/protocol";
import { asList, asObject, brief } from "../../../answers/reading.ts";
import type { ClientCall } from "../../../client/client-request.ts";
import { callName, messageOf } from "../../../client/request-fields.ts";
import { broken, type Finding, holds } from "../../../define/finding.ts";

// What DATA-002, DATA-004, DATA-036 and SEND-022 ask of the requests of 0.3, 0.2 and 0.1: what their schemas say, read kindly.

type Definitions = Readonly<Partial<Record<Operation, string>>>;

const ofMessages: Definitions = {
  SendMessage: "MessageSendParams",
  SendStreamingMessage: "MessageSendParams",
  GetTask: "TaskQueryParams",
  CancelTask: "TaskIdParams",
  SubscribeToTask: "TaskIdParams",
  CreateTaskPushNotificationConfig: "TaskPushNotificationConfig",
  GetTaskPushNotificationConfig: "GetTaskPushNotificationConfigParams",
  ListTaskPushNotificationConfigs: "TaskIdParams",
  DeleteTaskPushNotificationConfig: "DeleteTaskPushNotificationConfigParams",
};

/** The parameters of each operation by their names in the schema. The newest of 0.2 asks least of them. */
const schemas = {
  "0.3": { wire: "0.3", definitions: ofMessages },
  "0.2": { wire: "0.2.6", definitions: ofMessages },
  "0.1": {
    wire: "0.1",
    definitions: {
      SendMessage: "TaskSendParams",
      SendStreamingMessage: "TaskSendParams",
      GetTask: "TaskQueryParams",
      CancelTask: "TaskIdParams",
      SubscribeToTask: "TaskQueryParams",
      CreateTaskPushNotificationConfig: "TaskPushNotificationConfig",
      GetTaskPushNotificationConfig: "TaskIdParams",
    },
  },
} as const satisfies Record<Exclude<DialectVersion, "1.0">, { wire: string; definitions: Definitions }>;

/** Where the parameters of a JSON-RPC call miss the schema of their version; undefined where none speaks of them. */
function violationsIn({ on, operation, written }: ClientCall): readonly Violation[] | undefined {
  if (on.dialect === "1.0" || on.binding !== "JSONRPC" || !operation || !written) return undefined;
  const { wire, definitions } = schemas[on.dialect];
  const definition = (definitions as Definitions)[operation];
  return definition === undefined ? undefined : validateDialect(wire, definition, written);
}

/** The examples of the text leave out `kind` of a message, and whoever writes null means that there is nothing. */
const isTolerated = ({ path, code }: Violation): boolean =>
  code === "null" || code === "not-in-release" || path === "$.message.kind";

const isRole = ({ path }: Violation): boolean => path === "$.message.role";

export function completeOlder(call: ClientCall): Finding | undefined {
  if (!call.operation || !call.written) return undefined;
  // Over HTTP+JSON and gRPC the text and the proto have different forms: whatever can be read is right.
  if (call.on.binding !== "JSONRPC")
    return call.params
      ? holds()
      : broken(`${callName(call)} cannot be read as a request of ${call.on.dialect}`, {
          saw: brief(call.written),
          want: "every required member, with a value of its type",
          at: call.exchange,
        });
  const wrong = violationsIn(call)?.find((each) => !isTolerated(each) && !isRole(each));
  return wrong
    ? broken(`${callName(call)}: ${wrong.path.slice("$.".length)} ${wrong.demand}`, {
        saw: brief(wrong.got ?? call.written),
        want: "every required member, with a value of its type",
        at: call.exchange,
      })
    : holds();
}

export function enumNamedOlder(call: ClientCall): Finding | undefined {
  const message = asObject(call.written?.["message"]);
  if (call.on.binding !== "JSONRPC" || message?.["role"] === undefined) return undefined;
  const wrong = violationsIn(call)?.find((each) => isRole(each) && each.code === "unknown-value");
  return wrong
    ? broken("the role of a message is no word of the schema", {
        saw: brief(wrong.got),
        want: '"user"',
        at: call.exchange,
      })
    : holds();
}

/** The members of requests that have two words in their names, as the .proto writes them. */
const snakes = [
  ...["message_id", "task_id", "context_id", "session_id", "reference_task_ids", "history_length", "mime_type"],
  ...["accepted_output_modes", "push_notification", "push_notification_config", "push_notification_config_id"],
];

export function camelCasedOlder(call: ClientCall): Finding | undefined {
  if (call.on.binding !== "JSONRPC" || !call.written) return undefined;
  const found = snakeIn(call.written);
  return found === undefined
    ? holds()
    : broken(`${callName(call)}: a member is named as in the .proto`, {
        saw: found,
        want: "names in camelCase",
        at: call.exchange,
      });
}

/** A member that is ours and written in that way; what is in `metadata` and `data` belongs to others. */
function snakeIn(value: unknown): string | undefined {
  for (const item of asList(value)) {
    const found = snakeIn(item);
    if (found !== undefined) return found;
  }
  for (const [name, content] of Object.entries(asObject(value) ?? {})) {
    if (snakes.includes(name)) return name;
    const found = name === "metadata" || name === "data" ? undefined : snakeIn(content);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** By the canonical reading, which knows every spelling of a role. */
export function byUsersOlder(call: ClientCall): Finding | undefined {
  const message = call.params && messageOf(call);
  if (!message) return undefined;
  if (message["role"] !== "ROLE_USER")
    return broken("a message of the client has another role than that of a user", {
      saw: brief(message["role"] ?? "no role"),
      want: "user",
      at: call.exchange,
    });
  return asList(message["parts"]).length
    ? holds()
    : broken("a message has no part", { saw: brief(message), want: "at least one", at: call.exchange });
}
