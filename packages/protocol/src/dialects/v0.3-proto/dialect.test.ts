import { type DescMessage, fromJson, toJson } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { messageOf, namesPrototype } from "../../arbitraries.fixture.ts";
import { messages } from "../../generated/fields-0.3-proto.ts";
import * as generated from "../../generated/proto/a2a/v1/a2a_pb.ts";
import type { JsonObject, JsonValue } from "../../json.ts";
import type { Operation } from "../../operations.ts";
import { definitionOf } from "../definitions.fixture.ts";
import { messageOfCase, written } from "../dialect.fixture.ts";
import { schemaSpelling, v03Proto } from "./dialect.ts";

const said = { text: "hi" };
const camel = { message: { messageId: "m-1", role: "ROLE_USER", content: [said] } };
const snake = { request: { message_id: "m-1", role: 1, content: [said] } };
const schema = { message: { kind: "message", messageId: "m-1", role: "user", parts: [{ kind: "text", text: "hi" }] } };
const canonical = { message: { messageId: "m-1", role: "ROLE_USER", parts: [said] } };

describe("a send is read in all three spellings", () => {
  test.each<[string, JsonValue, string[] | undefined]>([
    ["camelCase", camel, undefined],
    ["the names of the .proto, and numbers", snake, undefined],
    ["both mixed", { message: snake.request }, undefined],
    ["the schema of JSON-RPC", schema, [schemaSpelling]],
  ])("%s", (_name, json, notes) => {
    const reading = v03Proto.readRequest("SendMessage", json);
    expect(reading.value).toEqual(canonical);
    expect(reading.notes?.map(({ message }) => message)).toEqual(notes);
  });

  test("and written in camelCase, always saying that we wait", () => {
    expect(v03Proto.writeRequest("SendMessage", canonical as never)).toEqual({
      ...camel,
      configuration: { blocking: true },
    });
  });
});

test("in a configuration, not to say is not to wait", () => {
  const meant = (json: JsonObject) => v03Proto.readRequest("SendMessage", { ...camel, ...json }).value!.configuration;
  expect([meant({}), meant({ configuration: {} }), meant({ configuration: { blocking: true } })]).toEqual([
    undefined,
    { returnImmediately: true },
    undefined,
  ]);
});

describe("answers in the spelling of JSON-RPC", () => {
  const task = { kind: "task", id: "t", contextId: "c", status: { state: "canceled" } };
  const read = { id: "t", contextId: "c", status: { state: "TASK_STATE_CANCELED" } };

  test.each([task, { task }])("%j is the answer to a send", (json) => {
    expect(v03Proto.readAnswer("SendMessage", json)).toEqual({
      value: { task: read },
      notes: [{ path: "$", message: schemaSpelling }],
    });
  });

  test("a task, an event, a card", () => {
    expect(v03Proto.readAnswer("GetTask", task).value).toEqual(read);
    expect(v03Proto.readEvents(task).value).toEqual([{ task: read }]);
    const card = v03Proto.readCard({
      protocolVersion: "0.3.0",
      name: "n",
      description: "d",
      url: "https://tide.example",
      version: "1",
      capabilities: {},
      securitySchemes: { k: { type: "http", scheme: "Bearer" } },
      defaultInputModes: [],
      defaultOutputModes: [],
      skills: [],
    });
    expect(card.value!.securitySchemes).toEqual({ k: { httpAuthSecurityScheme: { scheme: "Bearer" } } });
    expect(card.notes).toEqual([{ path: "$", message: schemaSpelling }]);
  });
});

describe("a push configuration is created from any of the bodies that clients send", () => {
  const config = { id: "hook-a", url: "https://hooks.example/t" };
  const parent = "tasks/t-1";
  const name = "tasks/t-1/pushNotificationConfigs/hook-a";
  const itself = "is the bare configuration; a2a.v1 has it under `config`";

  test.each<[string, JsonObject, string[] | undefined]>([
    ["the request", { configId: "hook-a", config: { name, pushNotificationConfig: config } }, undefined],
    [
      "the request, by the names of the .proto",
      { config_id: "hook-a", config: { name, push_notification_config: config } },
      undefined,
    ],
    ["the configuration in its wrapper", { name, pushNotificationConfig: config }, [itself]],
    [
      "the configuration of another task: the path counts",
      { name: "tasks/t-2/pushNotificationConfigs/hook-a", pushNotificationConfig: config },
      [itself],
    ],
    ["the configuration under config", { config }, undefined],
    ["the bare configuration", config, [itself]],
  ])("%s", (_name, body, notes) => {
    const reading = v03Proto.readRequest("CreateTaskPushNotificationConfig", { ...body, parent });
    expect(reading.value).toEqual({ taskId: "t-1", ...config });
    expect(reading.notes?.map(({ message }) => message)).toEqual(notes);
  });

  test("a name that ends in a slash means the configuration called after its task", () => {
    const body = { parent, name: "tasks/t-1/pushNotificationConfigs/", pushNotificationConfig: { url: config.url } };
    expect(v03Proto.readRequest("CreateTaskPushNotificationConfig", body).value).toEqual({
      taskId: "t-1",
      id: "t-1",
      url: config.url,
    });
  });
});

test("a bare id where a resource name belongs is assumed to be the id", () => {
  expect(v03Proto.readRequest("GetTask", { name: "t-1" })).toEqual({
    value: { id: "t-1" },
    notes: [{ path: "$.name", message: '"t-1" is not a resource name ("tasks/…"); read as the id' }],
  });
});

test("a bare array of push configurations is read, with a finding", () => {
  const list = [{ name: "tasks/t/pushNotificationConfigs/c", pushNotificationConfig: { url: "https://h.example" } }];
  expect(v03Proto.readAnswer("ListTaskPushNotificationConfigs", list)).toEqual({
    value: { configs: [{ url: "https://h.example", taskId: "t", id: "c" }] },
    notes: [{ path: "$", message: "is a bare array; a2a.v1 uses {configs}" }],
  });
});

test("an update without a context is read into the exchange's, or into one called after the task", () => {
  const event = { statusUpdate: { taskId: "t", status: { state: "TASK_STATE_WORKING" } } };
  expect(v03Proto.readEvents(event).value).toMatchObject([{ statusUpdate: { contextId: "t" } }]);
});

describe("protobuf reads what we write, and we read what it prints", () => {
  const operations: Operation[] = [
    "SendMessage",
    "SendStreamingMessage",
    "CreateTaskPushNotificationConfig",
    "GetTask",
    "GetExtendedAgentCard",
  ];
  const kinds = operations.flatMap((operation) => [
    { operation, is: "request" as const },
    { operation, is: "answer" as const },
  ]);

  test.each(kinds.filter(({ operation, is }) => definitionOf("0.3-proto", operation, is)))("$operation $is", (kind) => {
    const definition = definitionOf("0.3-proto", kind.operation, kind.is)!;
    const message = (generated as unknown as Record<string, DescMessage>)[`${definition}Schema`]!;
    fc.assert(
      fc.property(messageOf(messageOfCase(kind)), (value) => {
        fc.pre(!namesPrototype(value));
        const json = written(v03Proto, { ...kind, value });
        const printed = toJson(message, fromJson(message, json)) as JsonValue;
        const read = kind.is === "request" ? v03Proto.readRequest : v03Proto.readAnswer;
        // Protobuf leaves defaults out; both texts have to mean the same.
        const respell = (text: JsonValue) =>
          toJson(
            message,
            fromJson(message, written(v03Proto, { ...kind, value: read(kind.operation, text).value as never })),
          );
        expect(respell(printed)).toEqual(respell(json));
      }),
    );
  });
});

test("every message of the package has a field table and a generated class", () => {
  for (const name of Object.keys(messages)) expect(generated).toHaveProperty(`${name}Schema`);
});
