import { randomUUID } from "node:crypto";
import type { JsonObject, JsonValue, Operation } from "@assay/protocol";
import { expect } from "vitest";
import type { OlderWire } from "../../../packages/protocol/src/dialects/check.ts";
import { definitionOf, objections } from "../../../packages/protocol/src/dialects/definitions.fixture.ts";
import type { Content, Hook, Said, Sending, TaskSeen, Told } from "./peer.fixture.ts";

// The messages of each version, written again by hand, so that the tests do not repeat a mistake of our codecs.

export const defined = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T;

/** Treats `TASK_STATE_CANCELLED`, the spelling of the 0.3 proto, and `canceled` as one state. */
const stateWord = (state: unknown): string =>
  String(state)
    .replace(/^TASK_STATE_/, "")
    .toLowerCase()
    .replaceAll("_", "-")
    .replace("cancelled", "canceled");

const roleWord = (role: unknown): string =>
  String(role)
    .replace(/^ROLE_/, "")
    .toLowerCase();

/** JSON that passed the schema, without types. */
export type Shape = Record<string, ReturnType<typeof JSON.parse>>;

/** Writes requests and reads responses for a group of versions. */
export interface Family {
  readonly send: (sending: Sending) => JsonObject;
  readonly told: (json: Shape) => Told;
  readonly task: (json: Shape) => TaskSeen;
  readonly hookIn: (taskId: string, hook: Hook) => JsonObject;
  readonly hookOut: (json: Shape) => Hook;
}

const taggedPart =
  (tag: "kind" | "type") =>
  (content: Content): JsonObject => {
    if ("text" in content) return defined({ [tag]: "text", ...content }) as JsonObject;
    if ("data" in content) return { [tag]: "data", data: content.data };
    const { name, type, ...where } = content;
    return { [tag]: "file", file: defined({ ...where, name, mimeType: type }) as JsonObject };
  };

const untaggedPart =
  (tag: "kind" | "type") =>
  ({ [tag]: kind, text, data, file, metadata }: Shape): Content => {
    if (kind === "text") return defined({ text, metadata });
    if (kind === "data") return { data };
    const { bytes, uri, name, mimeType } = file;
    return defined({ ...(bytes === undefined ? { uri } : { bytes }), name, type: mimeType });
  };

const authOut = ({ schemes, credentials }: Shape = {}) => defined({ scheme: schemes?.[0], credentials });
const authIn = ({ scheme, credentials }: Pick<Hook, "scheme" | "credentials">) =>
  scheme === undefined ? {} : { authentication: defined({ schemes: [scheme], credentials }) };

const hook = ({ id, url, token, ...login }: Hook): JsonObject =>
  defined({ id, url, token, ...authIn(login) }) as JsonObject;

/** Reads a task of 0.2 or 0.3, whose messages and artifacts each family writes in its own form. */
const taskWith =
  (said: (json: Shape) => Said, artifact: (json: Shape) => { name: string; parts: Content[] }) =>
  ({ id, contextId, status, artifacts, history, metadata }: Shape): TaskSeen =>
    defined({
      id,
      contextId,
      state: stateWord(status.state),
      says: status.message && said(status.message),
      artifacts: artifacts?.map(artifact),
      history: history?.map(said),
      metadata,
    });

/** 0.2 and 0.3 over JSON-RPC: every object has a `kind`. */
export const kinds: Family = (() => {
  const part = untaggedPart("kind");
  const said = ({ role, parts }: Shape): Said => ({ role: roleWord(role), parts: parts.map(part) });
  const artifact = ({ name, parts }: Shape) => ({ name, parts: parts.map(part) });
  const task = taskWith(said, artifact);
  return {
    send: ({ parts, taskId, contextId, wait, historyLength, hook: config }) => {
      const configuration = defined({
        blocking: wait,
        historyLength,
        pushNotificationConfig: config && hook(config),
      });
      return {
        message: defined({
          kind: "message",
          messageId: randomUUID(),
          role: "user",
          parts: parts.map(taggedPart("kind")),
          taskId,
          contextId,
        }),
        ...(Object.keys(configuration).length ? { configuration } : {}),
      } as JsonObject;
    },
    task,
    told(json) {
      switch (json["kind"]) {
        case "task":
          return { is: "task", ...task(json) };
        case "message":
          return { is: "message", contextId: json["contextId"], ...said(json) };
        case "status-update": {
          const { status, final } = json;
          const says = status.message && said(status.message);
          return defined({ is: "status" as const, state: stateWord(status.state), says, final });
        }
        default: {
          expect(json["kind"]).toBe("artifact-update");
          const { append = false, lastChunk = false } = json;
          return { is: "artifact", ...artifact(json["artifact"]), append, last: lastChunk };
        }
      }
    },
    hookIn: (taskId, config) => ({ taskId, pushNotificationConfig: hook(config) }),
    hookOut: ({ pushNotificationConfig: { id, url, token, authentication } }) =>
      defined({ id, url, token, ...authOut(authentication) }),
  };
})();

/** 0.1: clients send tasks, and most objects are recognized by their members. */
export const first: Family = (() => {
  const part = untaggedPart("type");
  const said = ({ role, parts }: Shape): Said => ({ role, parts: parts.map(part) });
  const artifact = ({ name, parts }: Shape) => ({ name, parts: parts.map(part) });
  const hook = (config: Hook) => defined({ url: config.url, token: config.token, ...authIn(config) }) as JsonObject;
  const task = ({ id, sessionId, status, artifacts, history, metadata }: Shape): TaskSeen =>
    defined({
      id,
      contextId: sessionId,
      state: status.state,
      says: status.message && said(status.message),
      artifacts: artifacts?.map(artifact),
      history: history?.map(said),
      metadata,
    });
  return {
    send: ({ parts, taskId = randomUUID(), contextId, historyLength, hook: config }) =>
      defined({
        id: taskId,
        sessionId: contextId,
        message: { role: "user", parts: parts.map(taggedPart("type")) },
        historyLength,
        pushNotification: config && hook(config),
      }) as JsonObject,
    task,
    told(json) {
      const { status, final, artifact: shown } = json;
      if (shown)
        return { is: "artifact", ...artifact(shown), append: shown.append ?? false, last: shown.lastChunk ?? false };
      if (final === undefined) return { is: "task", ...task(json) };
      return defined({
        is: "status" as const,
        state: status.state,
        says: status.message && said(status.message),
        final,
      });
    },
    hookIn: (id, config) => ({ id, pushNotificationConfig: hook(config) }),
    hookOut: ({ pushNotificationConfig: { url, token, authentication } }) =>
      defined({ url, token, ...authOut(authentication) }),
  };
})();

/** The three spellings of HTTP+JSON bodies in real SDKs. */
export type Spelling = "camel" | "snake" | "schema";

const snake = (value: JsonValue): JsonValue => {
  if (Array.isArray(value)) return value.map(snake);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      // The content of `data` and `metadata` belongs to the user.
      name === "data" || name === "metadata" ? member : snake(member),
    ]),
  );
};

/** 0.3 in protobuf: `content` instead of parts, files and data in separate messages, resource names instead of ids. */
export const proto = (spelling: Spelling): Family => {
  const partIn = (content: Content): JsonObject => {
    if ("text" in content) return defined({ ...content }) as JsonObject;
    if ("data" in content) return { data: { data: content.data } };
    const { name, type: mimeType } = content;
    const where = "bytes" in content ? { fileWithBytes: content.bytes } : { fileWithUri: content.uri };
    return { file: defined({ ...where, mimeType, name }) as JsonObject };
  };
  const part = ({ text, file, data, metadata }: Shape): Content => {
    if (text !== undefined) return defined({ text, metadata });
    if (data) return { data: data.data ?? {} };
    const { fileWithBytes, fileWithUri, mimeType, name } = file;
    return defined({
      ...(fileWithBytes === undefined ? { uri: fileWithUri } : { bytes: fileWithBytes }),
      name,
      type: mimeType,
    });
  };
  const said = ({ role, content }: Shape): Said => ({ role: roleWord(role), parts: content.map(part) });
  const artifact = ({ name, parts }: Shape) => ({ name, parts: parts.map(part) });
  const task = taskWith(said, artifact);
  return {
    send(sending) {
      if (spelling === "schema") return kinds.send(sending);
      const { parts, taskId, contextId, wait = true, historyLength, hook: config } = sending;
      const message = defined({
        messageId: randomUUID(),
        role: "ROLE_USER",
        content: parts.map(partIn),
        taskId,
        contextId,
      }) as JsonObject;
      const configuration = defined({
        blocking: wait,
        historyLength,
        pushNotification: config && hook(config),
      }) as JsonObject;
      return spelling === "snake"
        ? { request: snake(message), configuration: snake(configuration) }
        : { message, configuration };
    },
    task,
    told({ task: whole, message, statusUpdate, artifactUpdate }) {
      if (whole) return { is: "task", ...task(whole) };
      if (message) return { is: "message", contextId: message.contextId, ...said(message) };
      if (statusUpdate) {
        const { status, final = false } = statusUpdate;
        const says = status.message && said(status.message);
        return defined({ is: "status" as const, state: stateWord(status.state), says, final });
      }
      const { artifact: shown, append = false, lastChunk = false } = artifactUpdate;
      return { is: "artifact", ...artifact(shown), append, last: lastChunk };
    },
    hookIn(taskId, config) {
      const parent = `tasks/${taskId}`;
      const name = `${parent}/pushNotificationConfigs/${config.id ?? ""}`;
      const body = {
        parent,
        ...(config.id === undefined ? {} : { configId: config.id }),
        config: { name, pushNotificationConfig: hook(config) },
      };
      if (spelling === "schema") return hook(config);
      return spelling === "snake" ? (snake(body) as JsonObject) : body;
    },
    hookOut: ({ name, pushNotificationConfig: { id, url, token, authentication } }) => {
      expect(name.endsWith(`/pushNotificationConfigs/${id}`)).toBe(true);
      return defined({ id, url, token, ...authOut(authentication) });
    },
  };
};

/** Validates a response against the schema of its version, and rejects unknown members. */
export function checked(wire: OlderWire, operation: Operation, json: JsonValue): Shape {
  const definition = definitionOf(wire, operation, "answer");
  if (definition) expect(objections(wire, definition, json)).toEqual([]);
  return json as Shape;
}
