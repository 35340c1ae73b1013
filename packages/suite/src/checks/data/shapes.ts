import type { JsonValue } from "@assay/protocol";
import { asList, asObject, asText, brief } from "../../answers/loose-json.ts";
import type { Call } from "../../define/call.ts";
import { noTaskSeen } from "../../define/check.ts";
import { breach, broken, type Finding } from "../../define/finding.ts";
import { cancelled } from "../../observations/cancelled.ts";
import { inputRequired } from "../../observations/conversation.ts";
import { messagesToFailedTasks } from "../../observations/ended-task.ts";
import { directMessage, sentMessage } from "../../observations/sent-message.ts";
import { taskStream } from "../../observations/task-stream.ts";
import { taskWithData, taskWithFile, taskWithFileUrl } from "../../observations/task-with-artifacts.ts";
import { everyOperation } from "../../observations/unknown-task.ts";
import { type ShapeRule, shapeCheck } from "../../shapes/check.ts";
import { placeIn } from "../../shapes/findings.ts";
import { oldContent } from "../../shapes/owners.ts";
import type { Typed } from "../../shapes/walk.ts";

const isSet = (value: JsonValue | undefined): boolean => value !== undefined && value !== null;

const having =
  (message: Typed["message"], ...members: readonly string[]) =>
  (object: Typed): boolean =>
    object.message === message && members.some((member) => isSet(object.value[member]));

const seen = ({ path, value }: Typed, call: Call) => ({
  saw: `${placeIn(call, path)}: ${brief(value)}`,
  at: call,
});

/** Parts that are not text: each prompt that makes the agent send one is worth its message. */
const otherContents = [taskWithFile, taskWithFileUrl, taskWithData];

/** Rules about mere shape, one row each. Which deviation belongs to which of them stands in shapes/owners.ts. */
const rows: readonly ShapeRule[] = [
  {
    id: "DATA-001",
    title: "members have their camelCase names",
    remedy:
      "Write JSON with the camelCase names of the fields: contextId, artifactId, messageId; not those of the .proto.",
    on: ["Task", "Message", "Artifact", "TaskStatusUpdateEvent", "TaskArtifactUpdateEvent", "ListTasksResponse"],
    shownBy: [sentMessage, taskStream, everyOperation],
    otherwise: "the agent sent no object of the protocol",
  },
  {
    id: "DATA-003",
    title: "states and roles are written with the names of the .proto",
    remedy:
      'Write status.state as "TASK_STATE_COMPLETED" and role as "ROLE_AGENT": the names, in capitals, as strings.',
    on: ["TaskStatus", "Message"],
    shownBy: [sentMessage, taskStream, inputRequired, directMessage],
    otherwise: "the agent sent no message and made no task",
  },
  {
    id: "DATA-005",
    title: "every state of a task is one of the eight that exist",
    remedy:
      "Write status.state as one of TASK_STATE_SUBMITTED, _WORKING, _COMPLETED, _FAILED, _CANCELED (one l), _INPUT_REQUIRED, _REJECTED, _AUTH_REQUIRED.",
    on: having("TaskStatus", "state"),
    shownBy: [sentMessage, cancelled],
    otherwise: noTaskSeen,
  },
  {
    id: "DATA-006",
    title: "timestamps are ISO 8601 strings",
    remedy: 'Write status.timestamp as a string in UTC: "2026-03-12T09:30:00.000Z".',
    on: having("TaskStatus", "timestamp"),
    shownBy: [sentMessage, taskStream],
    otherwise: "no status had a timestamp",
  },
  {
    id: "DATA-007",
    title: "timestamps are in UTC and end with Z",
    remedy: 'End status.timestamp with "Z": convert to UTC and write no offset, not even +00:00.',
    on: having("TaskStatus", "timestamp"),
    shownBy: [sentMessage, taskStream],
    otherwise: "no status had a timestamp",
  },
  {
    id: "DATA-011",
    title: "required members are there, and members have their types",
    remedy: "Set every field that a2a.proto marks REQUIRED, and write each with the JSON type of its field.",
    on: () => true,
    shownBy: [sentMessage, taskStream],
    otherwise: "the agent sent no object of the protocol",
  },
  {
    id: "DATA-013",
    title: "messages and artifacts have at least one part",
    remedy: "Put at least one part into parts, or leave the message or artifact out.",
    on: ["Message", "Artifact"],
    shownBy: [sentMessage, inputRequired, messagesToFailedTasks],
    otherwise: "the agent sent no message and no artifact",
  },
  {
    id: "DATA-016",
    title: "a task has an id and a status",
    remedy: "Set id (not empty) and status (an object with state) on every Task, the first event of a stream included.",
    on: ["Task"],
    shownBy: [sentMessage, taskStream],
    otherwise: noTaskSeen,
  },
  {
    id: "DATA-017",
    title: "a status is an object with a state",
    remedy: "Write status as an object with state; its message, if any, is a Message of the agent (ROLE_AGENT).",
    on: ["TaskStatus"],
    shownBy: [sentMessage, inputRequired, taskStream],
    otherwise: noTaskSeen,
    also(object, call) {
      if (object.message !== "TaskStatus" || asObject(object.value["message"])?.["role"] !== "ROLE_USER")
        return undefined;
      return breach("user-role-in-status", "the message of a status has the role of the user", {
        ...seen(object, call),
        want: "ROLE_AGENT: messages of a status are the agent's",
      });
    },
  },
  {
    id: "DATA-018",
    title: "a message has messageId, role and parts",
    remedy: "Set messageId, role and parts on every Message: in answers, in status.message and in history.",
    on: ["Message"],
    shownBy: [sentMessage, inputRequired, messagesToFailedTasks, directMessage],
    otherwise: "the agent sent no message",
    whole: (call, { objects }) => objects.flatMap((object) => repeatedMessage(object, call) ?? []),
  },
  {
    id: "DATA-019",
    title: "messages of the client have the role of the user, those of the agent its own",
    remedy: 'Keep role "ROLE_USER" on the client\'s messages in history, and answer with role "ROLE_AGENT".',
    on: ["Message"],
    shownBy: [sentMessage],
    otherwise: "the agent sent no message",
    whole: rolesIn,
  },
  {
    id: "DATA-020",
    title: "a part has exactly one of text, raw, url and data",
    remedy: "Write one content member for each part; split what has two into two parts, and leave unset ones out.",
    on: ["Part"],
    shownBy: [sentMessage, taskStream, ...otherContents],
    otherwise: "the agent sent no part",
  },
  {
    id: "DATA-021",
    title: "raw is base64",
    remedy: "Encode the bytes of a file in base64 (RFC 4648 §4) as the string raw.",
    on: having("Part", "raw"),
    shownBy: otherContents,
    otherwise: "the agent sent no file as bytes",
  },
  {
    id: "DATA-023",
    title: "mediaType and filename stand on the part itself",
    remedy: "Write mediaType and filename on the Part; mimeType and name are those of 0.3.",
    on: (object) => having("Part", "mediaType", "filename")(object) || having("Part", "mimeType")(object),
    shownBy: otherContents,
    otherwise: "no part had a media type or a file name",
    also: partNames,
  },
  {
    id: "DATA-024",
    title: "an artifact has an id of its own within its task",
    remedy: "Give each artifact of a task its own artifactId, and at least one part.",
    on: ["Artifact"],
    shownBy: [sentMessage, taskStream, taskWithFile],
    otherwise: "the agent sent no artifact",
    whole: (call, { objects }) => objects.flatMap((object) => sameIds(object, call) ?? []),
  },
  {
    id: "DATA-025",
    title: "a status update has taskId, contextId and status",
    remedy: "Set taskId, contextId and status on every statusUpdate.",
    on: ["TaskStatusUpdateEvent"],
    shownBy: [taskStream],
    otherwise: "no stream had a status update",
  },
  {
    id: "DATA-026",
    title: "an artifact update has taskId, contextId and artifact, and flags that are booleans",
    remedy: "Set taskId, contextId and artifact on every artifactUpdate; write append and lastChunk as true or false.",
    on: ["TaskArtifactUpdateEvent"],
    shownBy: [taskStream],
    otherwise: "no stream had an artifact update",
  },
  {
    id: "DATA-027",
    title: "metadata is a JSON object",
    remedy: "Write metadata as an object, {} when it is empty, or leave it out.",
    on: ({ value }) => isSet(value["metadata"]),
    shownBy: [sentMessage],
    otherwise: "nothing had metadata",
  },
  {
    id: "DATA-031",
    title: "ids are plain, not names of resources",
    remedy: 'Write the bare id into id, taskId, contextId and artifactId: "123", not "tasks/123".',
    on: ["Task", "Artifact", "TaskStatusUpdateEvent", "TaskArtifactUpdateEvent", "TaskPushNotificationConfig"],
    shownBy: [sentMessage],
    otherwise: noTaskSeen,
    also: plainIds,
  },
  {
    id: "DATA-032",
    title: "pageSize and totalSize are integers",
    remedy: "Write pageSize and totalSize as JSON numbers without a fraction.",
    on: having("ListTasksResponse", "pageSize", "totalSize"),
    shownBy: [everyOperation],
    otherwise: "the agent listed no tasks",
  },
  {
    id: "DATA-034",
    title: "artifacts and history of a task are arrays",
    remedy: "Write artifacts and history as arrays, with one element too; leave them out when there are none.",
    on: having("Task", "artifacts", "history"),
    shownBy: [sentMessage],
    otherwise: "no task had artifacts or history",
  },
  {
    id: "EXT-012",
    title: "extensions of messages and artifacts is an array of URIs",
    remedy: "Write extensions on messages and artifacts as an array of the URIs that contributed to them.",
    // A wrong type is wrong whether or not the card declares an extension.
    requires: [],
    on: (object) => having("Message", "extensions")(object) || having("Artifact", "extensions")(object),
    shownBy: [sentMessage],
    otherwise: "nothing named an extension",
  },
  {
    id: "LEG-001",
    title: "no object says by kind what it is",
    remedy:
      "Leave kind out of parts, messages, tasks and events: in 1.0 the member that holds them says what they are.",
    on: ["Part", "Message", "Task", "TaskStatusUpdateEvent", "TaskArtifactUpdateEvent"],
    shownBy: [sentMessage, taskStream],
    otherwise: "the agent sent no object of the protocol",
    whole: (call, { objects }) => objects.flatMap((object) => kindIn(object, call) ?? []),
  },
  {
    id: "LEG-002",
    title: "no status update is called final",
    remedy: "Leave final out of statusUpdate: closing the stream marks its end.",
    on: ["TaskStatusUpdateEvent"],
    shownBy: [taskStream],
    otherwise: "no stream had a status update",
    also: (object, call) =>
      object.value["final"] === undefined
        ? undefined
        : breach("older-member", "statusUpdate has the member final of 0.3", {
            ...seen(object, call),
            want: "no member final",
          }),
  },
  {
    id: "LEG-003",
    title: "no part has the form of 0.3",
    remedy: "Write a file as raw (base64) or url on the part itself, with filename and mediaType beside it.",
    on: ["Part"],
    shownBy: [taskWithFile],
    otherwise: "the agent sent no part",
    also: oldForms,
  },
];

export const shapeChecks = rows.map(shapeCheck);

/** In the answer to a send, the one message we know the author of is our own. */
/** Messages of the client come back in the answer to a send, and in every later reading of its task. */
function rolesIn(
  call: Call,
  { objects }: { readonly objects: readonly Typed[] },
  sent: ReadonlySet<string>,
): readonly Finding[] {
  const ours = asText(asObject(call.params?.["message"])?.["messageId"]);
  const messages = objects.filter(({ message }) => message === "Message");
  return messages.flatMap((object) => {
    const { value, path } = object;
    const id = asText(value["messageId"]);
    const isOurs = id !== undefined && (id === ours || sent.has(id));
    const isAnswer = /^\$\.message$/.test(path);
    if (isAnswer && value["role"] === "ROLE_USER")
      return broken("the agent answers with a message in the role of the user", {
        ...seen(object, call),
        want: "ROLE_AGENT",
      });
    if (isOurs && !isAnswer && value["role"] === "ROLE_AGENT")
      return broken("the client's own message has the role of the agent", { ...seen(object, call), want: "ROLE_USER" });
    return [];
  });
}

function partNames(object: Typed, call: Call): Finding | undefined {
  const { value } = object;
  const details = seen(object, call);
  const isFile = isSet(value["raw"]) || isSet(value["url"]);
  if (isSet(value["mimeType"])) {
    if (isSet(value["mediaType"]))
      return breach("older-member-beside", "a part has mimeType beside mediaType", {
        ...details,
        want: "mediaType alone",
      });
    // Text and data are read without it: to a client it is a member that it does not know.
    return isFile
      ? broken("a file has mimeType where mediaType belongs", { ...details, want: "mediaType" })
      : breach("older-member", "a part has mimeType beside its content", { ...details, want: "mediaType, or neither" });
  }
  if (isFile && typeof value["name"] === "string" && !isSet(value["filename"]))
    return breach("older-member", "a part has name where filename belongs", { ...details, want: "filename" });
  return undefined;
}

function sameIds(object: Typed, call: Call): Finding | undefined {
  if (object.message !== "Task") return undefined;
  const ids = asList(object.value["artifacts"]).flatMap((artifact) => asText(asObject(artifact)?.["artifactId"]) ?? []);
  if (new Set(ids).size === ids.length) return undefined;
  return broken("two artifacts of a task have the same artifactId", {
    saw: `${placeIn(call, object.path)}.artifacts: ${brief(ids)}`,
    want: "an artifactId that is unique within the task",
    at: call,
  });
}

/** A remark only: the agent decides what it keeps in the history (§3.7). Messages of 0.1 have no id. */
function repeatedMessage(object: Typed, call: Call): Finding | undefined {
  if (object.message !== "Task" || call.on.dialect === "0.1") return undefined;
  const ids = asList(object.value["history"]).flatMap((message) => asText(asObject(message)?.["messageId"]) ?? []);
  const repeated = ids.find((id, index) => id !== "" && ids.indexOf(id) !== index);
  if (repeated === undefined) return undefined;
  return breach("repeated-history-message", "the history of a task holds one message twice", {
    saw: `${placeIn(call, object.path)}.history: messageId ${brief(repeated, 60)} twice`,
    want: "each message once",
    at: call,
  });
}

function plainIds(object: Typed, call: Call): Finding | undefined {
  const names = ["id", "taskId", "contextId", "artifactId"];
  if (object.message === "TaskPushNotificationConfig") names.push("name");
  const found = names.find((name) => asText(object.value[name])?.startsWith("tasks/"));
  if (found === undefined) return undefined;
  return broken(`${object.message}.${found} holds the name of a resource`, {
    ...seen(object, call),
    want: "the bare id",
  });
}

const kinds = ["text", "file", "data", "message", "task", "status-update", "artifact-update"];

function kindIn(object: Typed, call: Call): Finding | undefined {
  const { message, value } = object;
  if (!kinds.includes(value["kind"] as string)) return undefined;
  return breach("older-member", `${message} has the member kind of 0.3`, {
    ...seen(object, call),
    want: "no member kind",
  });
}

/** In the place of the content it is a deviation, and told as such; here it stands beside it. */
function oldForms(object: Typed, call: Call): Finding | undefined {
  const { value } = object;
  const isBeside = ["text", "raw", "url", "data"].some((name) => isSet(value[name]));
  const old = oldContent.find((name) => isSet(value[name]));
  if (!isBeside || old === undefined) return undefined;
  return breach("older-member-beside", `a part has the member ${old} of 0.3 beside its content`, {
    ...seen(object, call),
    want: `no member ${old}`,
  });
}
