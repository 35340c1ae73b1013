import type { JsonValue } from "@assay/protocol";
import { asList, asObject, asText, brief, repeatedIn } from "../../answers/loose-json.ts";
import type { Call } from "../../define/call.ts";
import { noTaskSeen, type PassiveCheck } from "../../define/check.ts";
import { breach, broken, type Finding } from "../../define/finding.ts";
import { cancelled } from "../../observations/cancelled.ts";
import { inputRequired } from "../../observations/conversation.ts";
import { messagesToFailedTasks } from "../../observations/ended-task.ts";
import { directMessage, sentMessage } from "../../observations/sent-message.ts";
import { taskStream } from "../../observations/task-stream.ts";
import { taskWithData, taskWithFile, taskWithFileUrl } from "../../observations/task-with-artifacts.ts";
import { everyOperation } from "../../observations/unknown-task.ts";
import { shapeCheck } from "../../shapes/check.ts";
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

/** Observations with parts other than text; each prompt that triggers one is worth its message. */
const otherContents = [taskWithFile, taskWithFileUrl, taskWithData];

/** Rules about shape, one row each. shapes/owners.ts assigns deviations to them. */
export const shapeChecks: readonly PassiveCheck[] = [
  shapeCheck("DATA-001", {
    on: ["Task", "Message", "Artifact", "TaskStatusUpdateEvent", "TaskArtifactUpdateEvent", "ListTasksResponse"],
    shownBy: [sentMessage, taskStream, everyOperation],
    otherwise: "the agent sent no protocol object",
  }),
  shapeCheck("DATA-003", {
    on: ["TaskStatus", "Message"],
    shownBy: [sentMessage, taskStream, inputRequired, directMessage],
    otherwise: "the agent sent no message and created no task",
  }),
  shapeCheck("DATA-005", {
    on: having("TaskStatus", "state"),
    shownBy: [sentMessage, cancelled],
    otherwise: noTaskSeen,
  }),
  shapeCheck("DATA-006", {
    on: having("TaskStatus", "timestamp"),
    shownBy: [sentMessage, taskStream],
    otherwise: "no status had a timestamp",
  }),
  shapeCheck("DATA-007", {
    on: having("TaskStatus", "timestamp"),
    shownBy: [sentMessage, taskStream],
    otherwise: "no status had a timestamp",
  }),
  shapeCheck("DATA-011", {
    on: () => true,
    shownBy: [sentMessage, taskStream],
    otherwise: "the agent sent no protocol object",
  }),
  shapeCheck("DATA-013", {
    on: ["Message", "Artifact"],
    shownBy: [sentMessage, inputRequired, messagesToFailedTasks],
    otherwise: "the agent sent no message and no artifact",
  }),
  shapeCheck("DATA-016", { on: ["Task"], shownBy: [sentMessage, taskStream], otherwise: noTaskSeen }),
  shapeCheck("DATA-017", {
    on: ["TaskStatus"],
    shownBy: [sentMessage, inputRequired, taskStream],
    otherwise: noTaskSeen,
    also(object, call) {
      if (object.message !== "TaskStatus" || asObject(object.value["message"])?.["role"] !== "ROLE_USER")
        return undefined;
      return breach("user-role-in-status", "status.message has the role of the user", {
        ...seen(object, call),
        want: "ROLE_AGENT, because status messages come from the agent",
      });
    },
  }),
  shapeCheck("DATA-018", {
    on: ["Message"],
    shownBy: [sentMessage, inputRequired, messagesToFailedTasks, directMessage],
    otherwise: "the agent sent no message",
    whole: (call, { objects }) => objects.flatMap((object) => repeatedMessage(object, call) ?? []),
  }),
  shapeCheck("DATA-019", {
    on: ["Message"],
    shownBy: [sentMessage],
    otherwise: "the agent sent no message",
    whole: rolesIn,
  }),
  shapeCheck("DATA-020", {
    on: ["Part"],
    shownBy: [sentMessage, taskStream, ...otherContents],
    otherwise: "the agent sent no part",
  }),
  shapeCheck("DATA-021", {
    on: having("Part", "raw"),
    shownBy: otherContents,
    otherwise: "the agent sent no file as bytes",
  }),
  shapeCheck("DATA-023", {
    on: (object) => having("Part", "mediaType", "filename")(object) || having("Part", "mimeType")(object),
    shownBy: otherContents,
    otherwise: "no part had a media type or a file name",
    also: partNames,
  }),
  shapeCheck("DATA-024", {
    on: ["Artifact"],
    shownBy: [sentMessage, taskStream, taskWithFile],
    otherwise: "the agent sent no artifact",
    whole: (call, { objects }) => objects.flatMap((object) => sameIds(object, call) ?? []),
  }),
  shapeCheck("DATA-025", {
    on: ["TaskStatusUpdateEvent"],
    shownBy: [taskStream],
    otherwise: "no stream had a status update",
  }),
  shapeCheck("DATA-026", {
    on: ["TaskArtifactUpdateEvent"],
    shownBy: [taskStream],
    otherwise: "no stream had an artifact update",
  }),
  shapeCheck("DATA-027", {
    on: ({ value }) => isSet(value["metadata"]),
    shownBy: [sentMessage],
    otherwise: "no object had metadata",
  }),
  shapeCheck("DATA-031", {
    on: ["Task", "Artifact", "TaskStatusUpdateEvent", "TaskArtifactUpdateEvent", "TaskPushNotificationConfig"],
    shownBy: [sentMessage],
    otherwise: noTaskSeen,
    also: plainIds,
  }),
  shapeCheck("DATA-032", {
    on: having("ListTasksResponse", "pageSize", "totalSize"),
    shownBy: [everyOperation],
    otherwise: "the agent listed no tasks",
  }),
  shapeCheck("DATA-034", {
    on: having("Task", "artifacts", "history"),
    shownBy: [sentMessage],
    otherwise: "no task had artifacts or history",
  }),
  shapeCheck("EXT-012", {
    // A wrong type is wrong even if the card declares no extension.
    requires: [],
    on: (object) => having("Message", "extensions")(object) || having("Artifact", "extensions")(object),
    shownBy: [sentMessage],
    otherwise: "no object named an extension",
  }),
  shapeCheck("LEG-001", {
    on: ["Part", "Message", "Task", "TaskStatusUpdateEvent", "TaskArtifactUpdateEvent"],
    shownBy: [sentMessage, taskStream],
    otherwise: "the agent sent no protocol object",
    whole: (call, { objects }) => objects.flatMap((object) => kindIn(object, call) ?? []),
  }),
  shapeCheck("LEG-002", {
    on: ["TaskStatusUpdateEvent"],
    shownBy: [taskStream],
    otherwise: "no stream had a status update",
    also: (object, call) =>
      object.value["final"] === undefined
        ? undefined
        : breach("older-member", "statusUpdate has the member final of 0.3", {
            ...seen(object, call),
            want: "no final member",
          }),
  }),
  shapeCheck("LEG-003", { on: ["Part"], shownBy: [taskWithFile], otherwise: "the agent sent no part", also: oldForms }),
];

/** Judges roles. In the response to a send, and in later reads of its task, the client's own messages are known. */
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
      return broken("the agent responds with a message in the role of the user", {
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
        want: "only mediaType",
      });
    // Text and data do not need it; clients ignore an unknown member.
    return isFile
      ? broken("a file has mimeType instead of mediaType", { ...details, want: "mediaType" })
      : breach("older-member", "a part has mimeType beside its content", { ...details, want: "mediaType, or neither" });
  }
  if (isFile && typeof value["name"] === "string" && !isSet(value["filename"]))
    return breach("older-member", "a part has name instead of filename", { ...details, want: "filename" });
  return undefined;
}

function sameIds(object: Typed, call: Call): Finding | undefined {
  if (object.message !== "Task") return undefined;
  const ids = asList(object.value["artifacts"]).flatMap((artifact) => asText(asObject(artifact)?.["artifactId"]) ?? []);
  if (new Set(ids).size === ids.length) return undefined;
  return broken("two artifacts of a task have the same artifactId", {
    saw: `${placeIn(call, object.path)}.artifacts: ${brief(ids)}`,
    want: "a unique artifactId within the task",
    at: call,
  });
}

/** Only a note, because the agent decides what it keeps in the history (§3.7). Messages of 0.1 have no id. */
function repeatedMessage(object: Typed, call: Call): Finding | undefined {
  if (object.message !== "Task" || call.on.dialect === "0.1") return undefined;
  const ids = asList(object.value["history"]).flatMap((message) => asText(asObject(message)?.["messageId"]) ?? []);
  const repeated = repeatedIn(ids.filter((id) => id !== ""));
  if (repeated === undefined) return undefined;
  return breach("repeated-history-message", "the history of a task contains a message twice", {
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
  return broken(`${object.message}.${found} is a resource name`, {
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
    want: "no kind member",
  });
}

/** Reports an old member beside the content; instead of the content, it is a deviation. */
function oldForms(object: Typed, call: Call): Finding | undefined {
  const { value } = object;
  const isBeside = ["text", "raw", "url", "data"].some((name) => isSet(value[name]));
  const old = oldContent.find((name) => isSet(value[name]));
  if (!isBeside || old === undefined) return undefined;
  return breach("older-member-beside", `a part has the member ${old} of 0.3 beside its content`, {
    ...seen(object, call),
    want: `no ${old} member`,
  });
}
