import { type JsonObject, type JsonValue, validate } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { deviationsIn } from "./deviations.ts";
import { ownerOf } from "./owners.ts";

const message: JsonObject = {
  messageId: "m1",
  contextId: "c1",
  taskId: "t1",
  role: "ROLE_AGENT",
  parts: [{ text: "hello" }, { data: [1, null] }, { raw: "AAEC", filename: "a.bin", mediaType: "x/y" }],
  metadata: { any: ["thing"] },
  extensions: ["urn:x:v1"],
  referenceTaskIds: ["t0"],
};
const task: JsonObject = {
  id: "t1",
  contextId: "c1",
  status: { state: "TASK_STATE_COMPLETED", message, timestamp: "2026-03-12T09:30:00.000Z" },
  artifacts: [{ artifactId: "a1", name: "a", parts: [{ url: "https://example.com/a" }] }],
  history: [message],
  metadata: {},
};
const documents = {
  SendMessageResponse: { task },
  StreamResponse: {
    artifactUpdate: {
      taskId: "t1",
      contextId: "c1",
      artifact: { artifactId: "a1", parts: [{ text: "x" }] },
      append: true,
      lastChunk: false,
    },
  },
  ListTasksResponse: { tasks: [task], nextPageToken: "", pageSize: 50, totalSize: 1 },
  TaskPushNotificationConfig: {
    id: "p1",
    taskId: "t1",
    url: "https://example.com/hook",
    authentication: { scheme: "Bearer", credentials: "x" },
  },
} as const satisfies Record<string, JsonObject>;
const names = Object.keys(documents) as (keyof typeof documents)[];

/** The document with each of its values in turn taken away, or replaced by one of another type. */
function* damaged(json: JsonValue): Generator<JsonValue> {
  for (const other of [null, 7.5, "text", "", true, [], {}] as JsonValue[]) yield other;
  if (typeof json !== "object" || json === null) return;
  for (const name of Object.keys(json)) {
    const holder = json as JsonObject;
    if (!Array.isArray(json)) {
      const { [name]: _gone, ...rest } = holder;
      yield rest;
    }
    for (const other of damaged(holder[name]!)) {
      const copy = (Array.isArray(json) ? [...json] : { ...json }) as JsonObject;
      copy[name] = other;
      yield copy;
    }
  }
}

describe("whatever breaks the schema is a deviation", () => {
  test.each(names)("%s", (name) => {
    let broken = 0;
    for (const json of damaged(documents[name])) {
      const violations = validate(name, json).filter(({ code }) => code !== "unknown-member");
      if (violations.length === 0) continue;
      broken++;
      const paths = deviationsIn(name, json).map(({ path }) => path);
      const missed = violations.filter(({ path }) => !paths.includes(path));
      expect(missed, JSON.stringify(json)).toEqual([]);
    }
    expect(broken).toBeGreaterThan(10);
  });
});

test.each(names)("a sound %s has none", (name) => {
  expect(deviationsIn(name, documents[name])).toEqual([]);
});

test("members that nobody knows are none", () => {
  expect(deviationsIn("Task", { ...task, kind: "task", "x-vendor": { build: 7 } })).toEqual([]);
});

describe("each has one owner, the rule that speaks of it most closely", () => {
  const part = (content: JsonObject): JsonObject => ({ ...task, artifacts: [{ artifactId: "a", parts: [content] }] });
  const status = (more: JsonObject): JsonObject => ({ ...task, status: { state: "TASK_STATE_WORKING", ...more } });
  test.each<[what: string, task: JsonObject, owners: string[]]>([
    [
      "a spelling of protobuf",
      { ...task, history: [], artifacts: [{ artifact_id: "a", parts: [{ text: "" }] }] },
      ["DATA-001"],
    ],
    ["a state in lower case", status({ state: "completed" }), ["DATA-003"]],
    ["a state by its number", status({ state: 3 }), ["DATA-003"]],
    ["a state that does not exist", status({ state: "TASK_STATE_CANCELLED" }), ["DATA-005"]],
    ["a time in seconds", status({ timestamp: 1_773_307_800 }), ["DATA-006"]],
    ["a time that is none", status({ timestamp: "yesterday" }), ["DATA-006"]],
    ["a time with an offset", status({ timestamp: "2026-03-12T09:30:00+00:00" }), ["DATA-007"]],
    ["a time without a zone", status({ timestamp: "2026-03-12T09:30:00" }), ["DATA-007"]],
    ["times of any precision", status({ timestamp: "2026-03-12T09:30:00.123456789Z" }), []],
    ["no status", { id: "t1" }, ["DATA-016"]],
    ["no task at all", { task }, ["GET-001", "GET-001"]],
    ["a status that is a word", { id: "t1", status: "done" }, ["DATA-017"]],
    ["an empty id", { ...task, id: "" }, ["DATA-016"]],
    ["no parts", { ...task, artifacts: [{ artifactId: "a", parts: [] }] }, ["DATA-013"]],
    ["no content", part({ filename: "a" }), ["DATA-020"]],
    ["two contents", part({ text: "a", data: {} }), ["DATA-020"]],
    ["null beside a content", part({ text: "a", url: null, data: null }), ["DATA-020", "DATA-020"]],
    ["null as the content", part({ data: null }), []],
    ["a file of 0.3", part({ file: { bytes: "AAEC" } }), ["LEG-003"]],
    ["hexadecimal", part({ raw: "89504e470d0a1a0a0000000d49484452000000100000001008060000001ff3ff" }), ["DATA-021"]],
    ["base64 for URLs, without padding", part({ raw: "_-8" }), []],
    ["a media type that is none", part({ text: "a", mediaType: 7 }), ["DATA-023"]],
    ["an artifact without its id", { ...task, artifacts: [{ parts: [{ text: "a" }] }] }, ["DATA-024"]],
    ["metadata in a list", { ...task, metadata: [] }, ["DATA-027"]],
    ["artifacts without a list", { ...task, artifacts: { artifactId: "a", parts: [{ text: "a" }] } }, ["DATA-034"]],
    ["something else", { ...task, contextId: 7 }, ["DATA-011"]],
  ])("%s", (_what, json, owners) => {
    expect(deviationsIn("Task", json).map(ownerOf)).toEqual(owners);
  });
});
