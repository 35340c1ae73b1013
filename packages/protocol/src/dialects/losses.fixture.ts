import type { JsonObject, JsonValue } from "../json.ts";
import { type Loss, older, tagged, until } from "./loss.fixture.ts";
import { cardLosses } from "./losses-of-cards.fixture.ts";

const isFile = ({ raw, url }: JsonObject): boolean => raw !== undefined || url !== undefined;
const isPlain = (value: JsonValue | undefined): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const requests = [
  "SendMessageRequest",
  "GetTaskRequest",
  "CancelTaskRequest",
  "SubscribeToTaskRequest",
  "TaskPushNotificationConfig",
  "GetTaskPushNotificationConfigRequest",
];

/** Since 0.2.5, a task can have several push configurations, which can be listed and deleted. */
const several = tagged.slice(tagged.indexOf("0.2.5"));
const laterRequests = ["DeleteTaskPushNotificationConfigRequest", "ListTaskPushNotificationConfigsRequest"];

/** Earlier releases have no method for the extended card. */
const cardRequest = { at: "GetExtendedAgentCardRequest.tenant", wires: ["0.3", "0.3-proto"] } as const;

/** The members of the draft of 1.1. */
const ofDraft = [
  "Task.generation",
  "TaskStatusUpdateEvent.generation",
  "TaskArtifactUpdateEvent.generation",
  "SendMessageConfiguration.ifGenerationMatch",
  "GetTaskRequest.currentGeneration",
];

const noTenants = "tenants came with 1.0; route by URL";

/** Adds the surrounding task and context to a message, because messages of 0.1 name neither. */
const inTask =
  (id: "id" | "taskId") =>
  (message: JsonValue, { [id]: taskId, contextId }: JsonObject): JsonObject => {
    const { taskId: _task, contextId: _context, ...rest } = message as JsonObject;
    return { ...rest, taskId: taskId!, ...(contextId === undefined ? {} : { contextId }) };
  };

const statusIn = (id: "id" | "taskId") => (status: JsonValue | undefined, holder: JsonObject) => {
  const { message, ...rest } = status as JsonObject;
  return message === undefined ? rest : { ...rest, message: inTask(id)(message, holder) };
};

/**
 * Exactly the losses of a conversion from 1.0 into a dialect and back, as dialect.test.ts asserts. Rows apply to values
 * as protobuf prints them, without default values. Rows of 0.1 assume an exchange that does not know the context, and
 * `minted` as every generated id. Two kinds of losses are not rows, because they do not belong to one payload: the
 * operations that a dialect lacks, and the start of a stream in 0.1 (v0.1/event.test.ts).
 */
export const losses: readonly Loss[] = [
  ...ofDraft.map((at): Loss => ({ at, wires: older, because: "comes with 1.1" })),
  ...requests.map((request): Loss => ({ at: `${request}.tenant`, wires: older, because: noTenants })),
  { ...cardRequest, because: noTenants },
  ...laterRequests.map(
    (request): Loss => ({ at: `${request}.tenant`, wires: [...several, "0.3-proto"], because: noTenants }),
  ),

  ...["filename", "mediaType"].map(
    (member): Loss => ({
      at: `Part.${member}`,
      wires: older,
      when: (_value, part) => !isFile(part),
      because: "text and data parts had no file name and no media type",
    }),
  ),
  {
    at: "Part.metadata",
    wires: older,
    when: (value, part) => "data" in part && !isPlain(part["data"]) && Object.keys(value as JsonObject).length === 0,
    because: "empty metadata beside data that is no object goes with the mark that restores the data",
  },

  {
    at: "Message.referenceTaskIds",
    wires: ["0.1", ...until("0.2.1"), "0.3-proto"],
    because: "came with 0.2.1, and is not in a2a.v1",
  },
  { at: "Message.extensions", wires: ["0.1", ...until("0.2.2")], because: "came with 0.2.2" },
  { at: "Artifact.extensions", wires: ["0.1", ...until("0.2.2")], because: "came with 0.2.2" },
  { at: "Message.messageId", wires: ["0.1"], becomes: () => "v01-minted", because: "messages of 0.1 have no id" },
  {
    at: "SendMessageRequest.message",
    wires: ["0.1"],
    when: (message) => (message as JsonObject)["taskId"] === undefined,
    becomes: (message) => ({ ...(message as JsonObject), taskId: "minted" }),
    because: "the client of 0.1 chooses the id of a new task",
  },
  {
    at: "SendMessageResponse.message",
    wires: ["0.1"],
    when: (message) => (message as JsonObject)["taskId"] !== undefined,
    becomes: (message) => {
      const { taskId: _, ...rest } = message as JsonObject;
      return rest;
    },
    because: "a message that answers is a task in 0.1, whose id is not the message's",
  },
  { at: "Task.status", wires: ["0.1"], becomes: statusIn("id"), because: "messages of 0.1 name no task" },
  {
    at: "Task.history",
    wires: ["0.1"],
    becomes: (history, task) => (history as JsonValue[]).map((message) => inTask("id")(message, task)),
    because: "messages of 0.1 name no task",
  },
  {
    at: "Task.artifacts",
    wires: ["0.1"],
    becomes: (artifacts) =>
      (artifacts as JsonObject[]).map((artifact, index) => ({ ...artifact, artifactId: `v01-artifact-${index}` })),
    because: "artifacts of 0.1 have an index instead of an id",
  },
  {
    at: "TaskArtifactUpdateEvent.artifact",
    wires: ["0.1"],
    becomes: (artifact) => ({ ...(artifact as JsonObject), artifactId: "v01-artifact-0" }),
    because: "artifacts of 0.1 have an index instead of an id",
  },
  {
    at: "TaskStatusUpdateEvent.status",
    wires: ["0.1"],
    becomes: (status, { taskId }) =>
      statusIn("taskId")(status, { taskId: taskId!, contextId: `v01-context-${taskId}` }),
    because: "messages of 0.1 name no task",
  },
  ...["TaskStatusUpdateEvent", "TaskArtifactUpdateEvent"].map(
    (event): Loss => ({
      at: `${event}.contextId`,
      wires: ["0.1"],
      becomes: (_value, { taskId }) => `v01-context-${taskId}`,
      because: "events of 0.1 name no session; an exchange that knows it restores it",
    }),
  ),
  {
    at: "TaskStatus.state",
    wires: ["0.1"],
    when: (state) => state === "TASK_STATE_REJECTED",
    becomes: () => "TASK_STATE_FAILED",
    because: "rejected came with 0.2",
  },
  {
    at: "TaskStatus.state",
    wires: ["0.1"],
    when: (state) => state === "TASK_STATE_AUTH_REQUIRED",
    becomes: () => "TASK_STATE_INPUT_REQUIRED",
    because: "auth-required came with 0.2",
  },
  {
    at: "Task.contextId",
    wires: tagged,
    gains: true,
    becomes: (_value, { id }) => id,
    because: "0.2 and 0.3 require a context, so a task without one is written into its own",
  },

  ...["returnImmediately", "acceptedOutputModes"].map(
    (member): Loss => ({
      at: `SendMessageConfiguration.${member}`,
      wires: ["0.1"],
      because: "0.1 has no configuration but history and push",
    }),
  ),
  ...["SendMessageConfiguration", "GetTaskRequest"].map(
    (message): Loss => ({
      at: `${message}.historyLength`,
      wires: [...tagged, "0.3-proto"],
      when: (length) => Number(length) <= 0,
      because: "only positive numbers had a meaning, and 0 was read as unlimited",
    }),
  ),
  {
    at: "SendMessageRequest.configuration",
    wires: ["0.1", "0.3-proto"],
    when: (configuration) => Object.keys(configuration as JsonObject).length === 0,
    because: "a configuration that says nothing is none",
  },

  {
    at: "TaskPushNotificationConfig.id",
    wires: ["0.1", ...until("0.2.2")],
    when: (_id, { taskId }) => taskId === undefined,
    because: "ids came with 0.2.2",
  },
  {
    at: "TaskPushNotificationConfig.id",
    wires: ["0.1", ...until("0.2.2")],
    when: (_id, { taskId }) => taskId !== undefined,
    becomes: (_id, { taskId }) => taskId,
    because: "ids came with 0.2.2; before, the configuration is called after its task",
  },
  {
    at: "TaskPushNotificationConfig.id",
    wires: older,
    gains: true,
    when: (_id, { taskId }) => taskId !== undefined,
    becomes: (_id, { taskId }) => taskId,
    because: "a configuration without an id is called after its task, as Python and JS do",
  },
  {
    at: "GetTaskPushNotificationConfigRequest.id",
    wires: ["0.1", ...until("0.2.5")],
    becomes: (_id, { taskId }) => taskId,
    because: "a task had one configuration",
  },
  ...["pageSize", "pageToken"].map(
    (member): Loss => ({
      at: `ListTaskPushNotificationConfigsRequest.${member}`,
      wires: several,
      because: "the list is a bare array, without pages",
    }),
  ),
  {
    at: "ListTaskPushNotificationConfigsResponse.nextPageToken",
    wires: several,
    because: "the list is a bare array, without pages",
  },
  { at: "CancelTaskRequest.metadata", wires: ["0.3-proto"], because: "a2a.v1 has only the name of the task" },

  ...cardLosses,
];
