import { type DialectVersion, type Operation, operations, type Violation, validateDialect } from "@assay/protocol";
import { asList, asObject, asText, brief } from "../../../answers/loose-json.ts";
import { passiveClientCheck } from "../../../client/client-check.ts";
import type { ClientCall } from "../../../client/client-request.ts";
import { callName, isSend, messageOf } from "../../../client/request-fields.ts";
import { broken, type Finding, holds } from "../../../define/finding.ts";
import { type Deviation, deviationsIn } from "../../../shapes/deviations.ts";

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

function completeOlder(call: ClientCall): Finding | undefined {
  if (!call.operation || !call.written) return undefined;
  // Over HTTP+JSON and gRPC the text and the proto have different forms: whatever can be read is right.
  if (call.on.binding !== "JSONRPC")
    return call.params
      ? holds()
      : broken(`${callName(call)} cannot be read as a request of ${call.on.dialect}`, {
          saw: brief(call.written),
          want: "every required member, with a value of its type",
        });
  const wrong = violationsIn(call)?.find((each) => !isTolerated(each) && !isRole(each));
  if (!wrong) return holds();
  return broken(`${callName(call)}: ${wrong.path.slice("$.".length)} ${wrong.demand}`, {
    saw: brief(wrong.got ?? call.written),
    want: "every required member, with a value of its type",
  });
}

function enumNamedOlder(call: ClientCall): Finding | undefined {
  const message = asObject(call.written?.["message"]);
  if (call.on.binding !== "JSONRPC" || message?.["role"] === undefined) return undefined;
  const wrong = violationsIn(call)?.find((each) => isRole(each) && each.code === "unknown-value");
  return wrong
    ? broken("the role of a message is no word of the schema", { saw: brief(wrong.got), want: '"user"' })
    : holds();
}

/** The members of requests that have two words in their names, as the .proto writes them. */
const snakes = [
  ...["message_id", "task_id", "context_id", "session_id", "reference_task_ids", "history_length", "mime_type"],
  ...["accepted_output_modes", "push_notification", "push_notification_config", "push_notification_config_id"],
];

function camelCasedOlder(call: ClientCall): Finding | undefined {
  if (call.on.binding !== "JSONRPC" || !call.written) return undefined;
  const found = snakeIn(call.written);
  if (found === undefined) return holds();
  return broken(`${callName(call)}: a member is named as in the .proto`, { saw: found, want: "names in camelCase" });
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
function byUsersOlder(call: ClientCall): Finding | undefined {
  const message = call.params && messageOf(call);
  if (!message) return undefined;
  if (message["role"] !== "ROLE_USER")
    return broken("a message of the client has another role than that of a user", {
      saw: brief(message["role"] ?? "no role"),
      want: "user",
    });
  if (asList(message["parts"]).length) return holds();
  return broken("a message has no part", { saw: brief(message), want: "at least one" });
}

/** Where a request is not what the .proto and ProtoJSON ask for. Before 1.0 other forms hold. */
const wrongIn = ({ on, operation, written }: ClientCall): readonly Deviation[] =>
  on.dialect === "1.0" && operation && written ? deviationsIn(operations[operation].request, written) : [];

const isReadable = ({ on, operation, written }: ClientCall): boolean =>
  on.dialect === "1.0" && operation !== undefined && written !== undefined;

const told = (call: ClientCall, { path, value, within }: Deviation, sentence: string, want: string): Finding =>
  broken(`${callName(call)}: ${sentence}`, { saw: `${path}: ${brief(value ?? within)}`, want });

/** What a query writes as text is text there whatever it means; the schema is for bodies. */
const isQueried = ({ exchange }: ClientCall): boolean => exchange.http.request.method !== "POST";

const camelCased = passiveClientCheck({
  id: "DATA-002",
  bindings: ["JSONRPC", "HTTP+JSON"],
  judge(call) {
    if (call.on.dialect !== "1.0") return camelCasedOlder(call);
    if (!isReadable(call)) return undefined;
    const wrong = wrongIn(call).find(({ kind }) => kind === "snake");
    return wrong ? told(call, wrong, `a member is named as in the .proto`, `the member ${wrong.member}`) : holds();
  },
});

const enumNamed = passiveClientCheck({
  id: "DATA-004",
  bindings: ["JSONRPC", "HTTP+JSON"],
  judge(call) {
    if (call.on.dialect !== "1.0") return enumNamedOlder(call);
    if (!isReadable(call)) return undefined;
    const wrong = wrongIn(call).find(({ kind }) => kind === "enum");
    if (wrong)
      return told(call, wrong, `${wrong.message}.${wrong.member} is no name of its enum`, "a name such as ROLE_USER");
    return isSend(call) || call.params?.["status"] !== undefined ? holds() : undefined;
  },
});

/** What other rules tell more closely is theirs. */
const ownOf = ({ kind, message, member }: Deviation): boolean =>
  ["missing", "empty", "none-of", "several-of", "type"].includes(kind) &&
  !(message === "Message" && (member === "messageId" || member === "role" || (member === "parts" && kind === "empty")));

const complete = passiveClientCheck({
  id: "DATA-036",
  judge(call) {
    if (call.on.dialect !== "1.0") return completeOlder(call);
    if (!isReadable(call)) return undefined;
    const wrong = wrongIn(call).find((each) => ownOf(each) && !(isQueried(call) && each.kind === "type"));
    if (!wrong) return holds();
    const name = wrong.member === "" ? wrong.message : `${wrong.message}.${wrong.member}`;
    const what = {
      missing: "is missing",
      empty: "is empty",
      type: "has the wrong type",
      "none-of": "is not set",
      "several-of": "is set more than once",
    };
    return told(
      call,
      wrong,
      `${name} ${what[wrong.kind as keyof typeof what]}`,
      "every required member, with a value of its type",
    );
  },
});

const ownIds = passiveClientCheck({
  id: "SEND-021",
  judge(call, { before }) {
    const message = messageOf(call);
    if (!message) return undefined;
    // Misspelt, it is for DATA-002.
    const id = asText(message["messageId"] ?? message["message_id"]);
    if (!id)
      return broken("a message has no messageId", { saw: brief(message), want: "a messageId that is not empty" });
    const same = before
      .flatMap((request) => (request.is === "call" ? [request] : []))
      .find((each) => asText(messageOf(each)?.["messageId"]) === id);
    // The very same message is a repetition, as after a connection that was cut.
    if (same && JSON.stringify(messageOf(same)) !== JSON.stringify(message))
      return broken("two messages have the same messageId", {
        saw: brief(id),
        want: "an id for each message",
        at: [same.exchange, call.exchange],
      });
    return holds();
  },
});

const byUsers = passiveClientCheck({
  id: "SEND-022",
  judge(call) {
    if (call.on.dialect !== "1.0") return byUsersOlder(call);
    const message = messageOf(call);
    if (!message) return undefined;
    const { role, parts } = message;
    if (role !== "ROLE_USER")
      return broken("a message of the client has another role than ROLE_USER", {
        saw: brief(role ?? "no role"),
        want: "ROLE_USER",
      });
    if (asList(parts).length) return holds();
    return broken("a message has no part", { saw: brief(message), want: "at least one" });
  },
});

const noTaskYet = passiveClientCheck({
  id: "SEND-024",
  judge(call) {
    if (call.on.dialect !== "1.0") return undefined;
    const config = asObject(asObject(call.params?.["configuration"])?.["taskPushNotificationConfig"]);
    if (!isSend(call) || !config) return undefined;
    const task = asText(config["taskId"]);
    return task
      ? broken("the push configuration of a send names a task", { saw: brief(task), want: "no taskId" })
      : holds();
  },
});

const inUtcTimes = passiveClientCheck({
  id: "DATA-010",
  bindings: ["JSONRPC", "HTTP+JSON"],
  judge(call) {
    const time = call.on.dialect === "1.0" ? asText(call.params?.["statusTimestampAfter"]) : undefined;
    if (!time) return undefined;
    if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(time)) return holds();
    return broken("statusTimestampAfter is not written in UTC with Z", {
      saw: brief(time),
      want: "2026-03-12T09:30:00.000Z",
    });
  },
});

export const clientDataChecks = [camelCased, enumNamed, complete, ownIds, byUsers, noTaskYet, inUtcTimes];
