import type { JsonObject } from "../json.ts";
import type { Case } from "./dialect.fixture.ts";

/** Canonical payloads of an imaginary agent, the Harbour Tide Desk. Together they have every member of the model. */
const parts: JsonObject[] = [
  { text: "compare these", metadata: { lang: "en" }, filename: "note.txt", mediaType: "text/plain" },
  { raw: "aGVpZ2h0Cg==", filename: "gauge.csv", mediaType: "text/csv", metadata: { rows: 1 } },
  { url: "https://saltmarsh.example/chart.png", filename: "chart.png", mediaType: "image/png" },
  { data: { port: "Whitby", heights: [1, 2.5] }, mediaType: "application/json", filename: "tides.json" },
  { data: ["04:12", "16:40"] },
  { data: "slack water", metadata: { unit: "none" } },
  { data: null, metadata: {} },
];

const message: JsonObject = {
  messageId: "m-1",
  contextId: "c-1",
  taskId: "t-1",
  role: "ROLE_USER",
  parts,
  metadata: { trace: "abc", deep: { list: [null, true] } },
  extensions: ["https://saltmarsh.example/ext/datum/v1"],
  referenceTaskIds: ["t-0"],
};
const { taskId: _taskId, contextId: _contextId, ...opening } = message;
const reply: JsonObject = { messageId: "m-2", contextId: "c-1", role: "ROLE_AGENT", parts: [{ text: "04:12" }] };

const artifact: JsonObject = {
  artifactId: "a-1",
  name: "tides",
  description: "High water.",
  parts,
  metadata: { source: "gauge" },
  extensions: ["https://saltmarsh.example/ext/datum/v1"],
};

const states = [
  "SUBMITTED",
  "WORKING",
  "COMPLETED",
  "FAILED",
  "CANCELED",
  "INPUT_REQUIRED",
  "REJECTED",
  "AUTH_REQUIRED",
].map((state) => `TASK_STATE_${state}`);

const task: JsonObject = {
  id: "t-1",
  contextId: "c-1",
  status: { state: "TASK_STATE_COMPLETED", message: reply, timestamp: "2026-03-12T09:30:00.123456789Z" },
  artifacts: [artifact, { artifactId: "a-2", parts: [{ text: "16:40" }] }],
  history: [message, { ...reply, messageId: "m-3", taskId: "t-0", contextId: "c-0" }],
  metadata: { desk: 7 },
};

const push: JsonObject = {
  tenant: "north-sea",
  id: "hook-a",
  taskId: "t-1",
  url: "https://hooks.example/tide",
  token: "n-55",
  authentication: { scheme: "Bearer", credentials: "opaque" },
};
const { taskId: _pushTask, ...inline } = push;
const { id: _pushId, ...unnamed } = push;

const flow = { refreshUrl: "https://id.example/refresh", scopes: { "tide.read": "Read tides" } };
const oauth = (flows: JsonObject): JsonObject => ({
  oauth2SecurityScheme: { description: "d", flows, oauth2MetadataUrl: "https://id.example/meta" },
});

const card: JsonObject = {
  name: "Harbour Tide Desk",
  description: "Answers questions about tides.",
  supportedInterfaces: [
    { url: "https://tide.example/rpc", protocolBinding: "JSONRPC", protocolVersion: "1.0", tenant: "north-sea" },
    { url: "https://tide.example/rest", protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
    { url: "https://tide.example/rest", protocolBinding: "HTTP+JSON", protocolVersion: "1.0", tenant: "south-sea" },
  ],
  provider: { url: "https://saltmarsh.example", organization: "Saltmarsh Labs" },
  version: "0.4.2",
  documentationUrl: "https://saltmarsh.example/tides",
  capabilities: {
    streaming: true,
    pushNotifications: false,
    extendedAgentCard: true,
    extensions: [
      { uri: "https://saltmarsh.example/ext", description: "d", required: true, params: { default: "LAT" } },
    ],
  },
  securitySchemes: {
    key: { apiKeySecurityScheme: { description: "d", location: "header", name: "X-Tide-Key" } },
    bearer: { httpAuthSecurityScheme: { description: "d", scheme: "Bearer", bearerFormat: "JWT" } },
    oidc: { openIdConnectSecurityScheme: { description: "d", openIdConnectUrl: "https://id.example/oidc" } },
    mtls: { mtlsSecurityScheme: { description: "d" } },
    code: oauth({
      authorizationCode: {
        ...flow,
        authorizationUrl: "https://id.example/auth",
        tokenUrl: "https://id.example/token",
        pkceRequired: true,
      },
    }),
    client: oauth({ clientCredentials: { ...flow, tokenUrl: "https://id.example/token" } }),
    implicit: oauth({ implicit: { ...flow, authorizationUrl: "https://id.example/auth" } }),
    password: oauth({ password: { ...flow, tokenUrl: "https://id.example/token" } }),
    device: oauth({
      deviceCode: {
        ...flow,
        deviceAuthorizationUrl: "https://id.example/device",
        tokenUrl: "https://id.example/token",
      },
    }),
  },
  securityRequirements: [{ schemes: { key: { list: [] } } }, { schemes: { code: { list: ["tide.read"] }, mtls: {} } }],
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain", "application/json"],
  skills: [
    {
      id: "tide-lookup",
      name: "Tide lookup",
      description: "High and low water for a port.",
      tags: ["tide"],
      examples: ["high water at Whitby"],
      inputModes: ["text/plain"],
      outputModes: ["application/json"],
      securityRequirements: [{ schemes: { code: { list: ["tide.read"] } } }],
    },
  ],
  signatures: [{ protected: "eyJ", signature: "AAAA", header: { kid: "tide-1" } }],
  iconUrl: "https://saltmarsh.example/i.png",
};

const configuration = { acceptedOutputModes: ["text/plain"], historyLength: 3, taskPushNotificationConfig: inline };

const requests: [string, Case["operation"], JsonObject][] = [
  ["a message that goes on with a task", "SendMessage", { tenant: "n", message, configuration, metadata: { k: 1 } }],
  ["a message that begins a task", "SendMessage", { message: opening }],
  ["a message that is not waited for", "SendMessage", { message, configuration: { returnImmediately: true } }],
  ["no history", "SendMessage", { message, configuration: { historyLength: 0, acceptedOutputModes: ["a/b"] } }],
  ["a message for generation 2", "SendMessage", { message, configuration: { ifGenerationMatch: "2" } }],
  ["an empty configuration", "SendMessage", { message, configuration: {} }],
  ["a message to be streamed", "SendStreamingMessage", { tenant: "n", message, configuration }],
  ["a task", "GetTask", { tenant: "n", id: "t-1", historyLength: 5 }],
  ["a task newer than generation 2", "GetTask", { id: "t-1", currentGeneration: "2" }],
  ["a task without history", "GetTask", { id: "t-1", historyLength: 0 }],
  ["all tasks", "ListTasks", { pageSize: 5 }],
  ["a cancel", "CancelTask", { tenant: "n", id: "t-1", metadata: { why: "tide turned" } }],
  ["a subscription", "SubscribeToTask", { tenant: "n", id: "t-1" }],
  ["a push configuration", "CreateTaskPushNotificationConfig", push],
  ["a push configuration without id", "CreateTaskPushNotificationConfig", unnamed],
  ["get a push configuration", "GetTaskPushNotificationConfig", { tenant: "n", taskId: "t-1", id: "hook-a" }],
  ["delete a push configuration", "DeleteTaskPushNotificationConfig", { tenant: "n", taskId: "t-1", id: "hook-a" }],
  [
    "list push configurations",
    "ListTaskPushNotificationConfigs",
    { tenant: "n", taskId: "t-1", pageSize: 5, pageToken: "p" },
  ],
  ["the extended card", "GetExtendedAgentCard", { tenant: "n" }],
];

const event = { taskId: "t-1", contextId: "c-1", metadata: { seq: 4 } };

const answers: [string, Case["operation"], JsonObject][] = [
  ["a task", "SendMessage", { task }],
  ["a message", "SendMessage", { message: reply }],
  ["a message of a task", "SendMessage", { message: { ...reply, taskId: "t-1" } }],
  ["a task without context", "GetTask", { id: "t-1", status: { state: "TASK_STATE_WORKING" } }],
  ["a counted task", "GetTask", { ...task, generation: "2" }],
  ["a canceled task", "CancelTask", { ...task, status: { state: "TASK_STATE_CANCELED" } }],
  ["tasks", "ListTasks", { tasks: [task], nextPageToken: "", pageSize: 50, totalSize: 1 }],
  ["a task that opens a stream", "SendStreamingMessage", { task }],
  ["a message for a stream", "SendStreamingMessage", { message: reply }],
  ...states.map((state): [string, Case["operation"], JsonObject] => [
    `an update to ${state}`,
    "SendStreamingMessage",
    { statusUpdate: { ...event, status: { state, message: reply, timestamp: "2026-03-12T09:30:00Z" } } },
  ]),
  ["an artifact", "SendStreamingMessage", { artifactUpdate: { ...event, artifact, append: true, lastChunk: true } }],
  [
    "a counted update",
    "SendStreamingMessage",
    { statusUpdate: { ...event, status: { state: "TASK_STATE_WORKING" }, generation: "2" } },
  ],
  ["a counted artifact", "SendStreamingMessage", { artifactUpdate: { ...event, artifact, generation: "3" } }],
  ["a later artifact", "SubscribeToTask", { artifactUpdate: { ...event, artifact, append: false } }],
  ["a push configuration", "CreateTaskPushNotificationConfig", push],
  ["a push configuration again", "GetTaskPushNotificationConfig", push],
  ["push configurations", "ListTaskPushNotificationConfigs", { configs: [push], nextPageToken: "p" }],
  ["the extended card", "GetExtendedAgentCard", card],
];

const named =
  (is: Case["is"]) =>
  ([name, operation, value]: [string, Case["operation"], JsonObject]): Case => ({
    name: `${is} ${operation}: ${name}`,
    is,
    operation,
    value,
  });

export const payloads: readonly Case[] = [...requests.map(named("request")), ...answers.map(named("answer"))];

const { securityRequirements: _requirements, ...openCard } = card;

/** A card with every member, and one whose security schemes are optional. */
export const cards: readonly JsonObject[] = [card, openCard];
