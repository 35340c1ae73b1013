import { type DialectVersion, type Operation, operations, type Violation, validateDialect } from "@assay/protocol";
import { asList, asObject, asText, brief } from "../../../answers/loose-json.ts";
import { passiveClientCheck } from "../../../client/client-check.ts";
import type { ClientCall } from "../../../client/client-request.ts";
import { callName, isSend, messageOf } from "../../../client/request-fields.ts";
import { broken, type Finding, holds } from "../../../define/finding.ts";
import { type Deviation, deviationsIn } from "../../../shapes/deviations.ts";

// DATA-002, DATA-004, DATA-036 and SEND-022 for requests of 0.3, 0.2 and 0.1, by a lenient reading of their schemas.

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

/** The parameters of each operation in the schema. The newest 0.2 release requires the least. */
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

/** Returns where the parameters of a JSON-RPC call violate their schema; undefined if none applies. */
function violationsIn({ on, operation, written }: ClientCall): readonly Violation[] | undefined {
  if (on.dialect === "1.0" || on.binding !== "JSONRPC" || !operation || !written) return undefined;
  const { wire, definitions } = schemas[on.dialect];
  const definition = (definitions as Definitions)[operation];
  return definition === undefined ? undefined : validateDialect(wire, definition, written);
}

/** The text's examples omit the `kind` of a message, and null means absent. */
const isTolerated = ({ path, code }: Violation): boolean =>
  code === "null" || code === "not-in-release" || path === "$.message.kind";

const isRole = ({ path }: Violation): boolean => path === "$.message.role";

function completeOlder(call: ClientCall): Finding | undefined {
  if (!call.operation || !call.written) return undefined;
  // Over HTTP+JSON and gRPC, text and proto define different forms, so anything readable is right.
  if (call.on.binding !== "JSONRPC")
    return call.params
      ? holds()
      : broken(`${callName(call)} is not a valid request of ${call.on.dialect}`, {
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
    ? broken("the role of a message is not a value of the schema", { saw: brief(wrong.got), want: '"user"' })
    : holds();
}

/** Members of requests with two words in their names, in .proto spelling. */
const snakes = [
  ...["message_id", "task_id", "context_id", "session_id", "reference_task_ids", "history_length", "mime_type"],
  ...["accepted_output_modes", "push_notification", "push_notification_config", "push_notification_config_id"],
];

function camelCasedOlder(call: ClientCall): Finding | undefined {
  if (call.on.binding !== "JSONRPC" || !call.written) return undefined;
  const found = snakeIn(call.written);
  if (found === undefined) return holds();
  return broken(`${callName(call)}: a member has its .proto name`, { saw: found, want: "names in camelCase" });
}

/** Finds a protocol member in that spelling; the content of `metadata` and `data` is free. */
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

/** Judges the message in terms of 1.0, because its reader knows every spelling of a role. */
function byUsersOlder(call: ClientCall): Finding | undefined {
  const message = call.params && messageOf(call);
  if (!message) return undefined;
  if (message["role"] !== "ROLE_USER")
    return broken("a message of the client does not have the role of a user", {
      saw: brief(message["role"] ?? "no role"),
      want: "user",
    });
  if (asList(message["parts"]).length) return holds();
  return broken("a message has no parts", { saw: brief(message), want: "at least one part" });
}

/** Returns where a request deviates from the .proto and ProtoJSON. Before 1.0, other forms are valid. */
const wrongIn = ({ on, operation, written }: ClientCall): readonly Deviation[] =>
  on.dialect === "1.0" && operation && written ? deviationsIn(operations[operation].request, written) : [];

const isReadable = ({ on, operation, written }: ClientCall): boolean =>
  on.dialect === "1.0" && operation !== undefined && written !== undefined;

const told = (call: ClientCall, { path, value, within }: Deviation, sentence: string, want: string): Finding =>
  broken(`${callName(call)}: ${sentence}`, { saw: `${path}: ${brief(value ?? within)}`, want });

/** In a query, every value is text; the schema applies to bodies. */
const isQueried = ({ exchange }: ClientCall): boolean => exchange.http.request.method !== "POST";

export const camelCased = passiveClientCheck("DATA-002", {
  bindings: ["JSONRPC", "HTTP+JSON"],
  judge(call) {
    if (call.on.dialect !== "1.0") return camelCasedOlder(call);
    if (!isReadable(call)) return undefined;
    const wrong = wrongIn(call).find(({ kind }) => kind === "snake");
    return wrong ? told(call, wrong, `a member has its .proto name`, `the member ${wrong.member}`) : holds();
  },
});

export const enumNamed = passiveClientCheck("DATA-004", {
  bindings: ["JSONRPC", "HTTP+JSON"],
  judge(call) {
    if (call.on.dialect !== "1.0") return enumNamedOlder(call);
    if (!isReadable(call)) return undefined;
    const wrong = wrongIn(call).find(({ kind }) => kind === "enum");
    if (wrong)
      return told(
        call,
        wrong,
        `${wrong.message}.${wrong.member} is not a value of its enum`,
        "a name such as ROLE_USER",
      );
    return isSend(call) || call.params?.["status"] !== undefined ? holds() : undefined;
  },
});

/** Excludes deviations that other rules report more precisely. */
const ownOf = ({ kind, message, member }: Deviation): boolean =>
  ["missing", "empty", "none-of", "several-of", "type"].includes(kind) &&
  !(message === "Message" && (member === "messageId" || member === "role" || (member === "parts" && kind === "empty")));

export const complete = passiveClientCheck("DATA-036", {
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

export const ownIds = passiveClientCheck("SEND-021", {
  judge(call, { before }) {
    const message = messageOf(call);
    if (!message) return undefined;
    // DATA-002 judges a misspelt name.
    const id = asText(message["messageId"] ?? message["message_id"]);
    if (!id)
      return broken("a message has no messageId", { saw: brief(message), want: "a messageId that is not empty" });
    const same = before
      .flatMap((request) => (request.is === "call" ? [request] : []))
      .find((each) => asText(messageOf(each)?.["messageId"]) === id);
    // An identical message is a repetition, for example after a lost connection.
    if (same && JSON.stringify(messageOf(same)) !== JSON.stringify(message))
      return broken("two messages have the same messageId", {
        saw: brief(id),
        want: "a different id for each message",
        at: [same.exchange, call.exchange],
      });
    return holds();
  },
});

export const byUsers = passiveClientCheck("SEND-022", {
  judge(call) {
    if (call.on.dialect !== "1.0") return byUsersOlder(call);
    const message = messageOf(call);
    if (!message) return undefined;
    const { role, parts } = message;
    if (role !== "ROLE_USER")
      return broken("a message of the client does not have ROLE_USER", {
        saw: brief(role ?? "no role"),
        want: "ROLE_USER",
      });
    if (asList(parts).length) return holds();
    return broken("a message has no parts", { saw: brief(message), want: "at least one part" });
  },
});

export const noTaskYet = passiveClientCheck("SEND-024", {
  judge(call) {
    if (call.on.dialect !== "1.0") return undefined;
    const config = asObject(asObject(call.params?.["configuration"])?.["taskPushNotificationConfig"]);
    if (!isSend(call) || !config) return undefined;
    const task = asText(config["taskId"]);
    return task
      ? broken("the push configuration in a send has a taskId", { saw: brief(task), want: "no taskId" })
      : holds();
  },
});

export const inUtcTimes = passiveClientCheck("DATA-010", {
  bindings: ["JSONRPC", "HTTP+JSON"],
  judge(call) {
    const time = call.on.dialect === "1.0" ? asText(call.params?.["statusTimestampAfter"]) : undefined;
    if (!time) return undefined;
    if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(time)) return holds();
    return broken("statusTimestampAfter is not in UTC with Z", {
      saw: brief(time),
      want: "2026-03-12T09:30:00.000Z",
    });
  },
});
