import { type DescMessage, fromJson, toJson } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  changed,
  type MessageName,
  memberOf,
  messageNames,
  messageOf,
  messagesIn,
  namesPrototype,
  placesOf,
  respell,
  spelling,
  withoutDefaults,
  wrongFor,
} from "../arbitraries.fixture.ts";
import { enums, messages } from "../generated/fields.ts";
import * as proto from "../generated/proto/lf/a2a/v1/a2a_pb.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import type { Field } from "./field.ts";
import { read, validate } from "./validate.ts";
import type { Violation } from "./violation.ts";

const descriptors = proto as unknown as Record<string, DescMessage>;
const descriptorOf = (name: MessageName): DescMessage => descriptors[`${name}Schema`]!;

/** What protobuf-es understands, printed again. */
function throughProtobuf(name: MessageName, json: JsonObject): JsonValue {
  const descriptor = descriptorOf(name);
  return toJson(descriptor, fromJson(descriptor, json, { ignoreUnknownFields: true }));
}

/** Runs a property on a value and on one of the places in it. */
function somewhere<P>(
  name: MessageName,
  places: (value: JsonObject) => P[],
  holds: (value: JsonObject, place: P, pick: number) => void,
): void {
  fc.assert(
    fc.property(messageOf(name), fc.nat(), fc.nat(), (value, where, pick) => {
      const candidates = places(value);
      fc.pre(candidates.length > 0);
      holds(value, candidates[where % candidates.length]!, pick);
    }),
  );
}

/** Can a value of this message hold such a field? If not, there is nothing to break. */
const canHold = (name: MessageName, wanted: (field: Field) => unknown): boolean =>
  messages[name].some(
    (field) => wanted(field) || (field.kind in messages && canHold(field.kind as MessageName, wanted)),
  );

const isRequired = ({ required }: Field) => required !== undefined;
const isChoice = ({ oneof }: Field) => oneof !== undefined;
const isTyped = ({ kind }: Field) => kind !== "value";
const mustNotBeEmpty = ({ kind, required, map, repeated }: Field) =>
  required === "non-empty" || (required === "present" && kind === "string" && !map && !repeated);

/** A copy in which one message, possibly the outermost, was changed. */
const changedMessage = (
  value: JsonObject,
  steps: readonly (string | number)[],
  change: (message: JsonObject) => void,
) =>
  changed({ value }, ["value", ...steps], (holder, step) => change(holder[step] as JsonObject))["value"] as JsonObject;

/** What a test expects of a violation; the data beside it is looked at in violations.test.ts. */
type Told = Pick<Violation, "path" | "message"> & Partial<Violation>;

/** Both ways to look at a broken value give the same answer. */
function expectViolations(name: MessageName, broken: JsonObject, violations: Told[]): void {
  expect(validate(name, broken)).toMatchObject(violations);
  expect(read(name, broken).violations).toMatchObject(violations);
}

describe.each(messageNames)("%s", (name) => {
  test("a canonical value has no violations and is read without a copy", () => {
    fc.assert(
      fc.property(messageOf(name), (value) => {
        expect(validate(name, value)).toEqual([]);
        expect(read(name, value).value).toBe(value);
      }),
    );
  });

  test("every ProtoJSON spelling of a value is read back to the canonical one", () => {
    fc.assert(
      fc.property(messageOf(name), spelling, (value, how) => {
        expect(read(name, respell(name, value, how))).toStrictEqual({ value });
      }),
    );
  });

  test("protobuf-es reads a canonical value and prints it again without its defaults", () => {
    fc.assert(
      fc.property(messageOf(name), (value) => {
        fc.pre(!namesPrototype(value));
        expect(throughProtobuf(name, value)).toStrictEqual(withoutDefaults(name, value));
      }),
    );
  });

  test("protobuf-es understands a loose spelling as we do", () => {
    fc.assert(
      fc.property(messageOf(name), spelling, (value, how) => {
        fc.pre(!namesPrototype(value));
        // protobuf-es takes a null inside a oneof for a second choice; the other readers, and we, for "not set".
        const nulls = how.nulls === "everywhere" ? "outside oneofs" : how.nulls;
        const loose = respell(name, value, { ...how, nulls });
        const { value: ours } = read(name, loose);
        expect(throughProtobuf(name, loose)).toStrictEqual(withoutDefaults(name, ours as unknown as JsonObject));
      }),
    );
  });

  if (canHold(name, isRequired)) {
    test("a REQUIRED member that is left out is named", () => {
      somewhere(
        name,
        (value) => placesOf(name, value).filter(({ field, element }) => isRequired(field) && !element),
        (value, { path, steps }) => {
          const broken = changed(value, steps, (holder, step) => delete holder[step]);
          expectViolations(name, broken, [{ path, code: "missing", message: "is required and missing" }]);
        },
      );
    });
  }

  if (canHold(name, mustNotBeEmpty)) {
    test("a REQUIRED string or list that is empty is named", () => {
      somewhere(
        name,
        (value) => placesOf(name, value).filter(({ field, element }) => mustNotBeEmpty(field) && !element),
        (value, { path, steps, is }) => {
          const broken = changed(value, steps, (holder, step) => {
            holder[step] = is === "list" ? [] : "";
          });
          expectViolations(name, broken, [
            is === "list"
              ? { path, code: "too-few", message: "needs at least one element" }
              : { path, code: "empty", message: "is required and must not be empty" },
          ]);
        },
      );
    });
  }

  if (canHold(name, isChoice)) {
    test("a oneof with two members, or with none, is named with its choices", () => {
      somewhere(
        name,
        (value) => messagesIn(name, value).filter((place) => messages[place.name].some(isChoice)),
        (value, { path, steps, name: inner }, pick) => {
          const choices = messages[inner].filter(isChoice);
          const names = choices.map(({ json }) => json);
          const violation = (code: Violation["code"], present: string): Told => ({
            path,
            code,
            expected: names,
            message: `needs exactly one of ${names.join(", ")}, has ${present}`,
          });

          const none = changedMessage(value, steps, (message) => {
            for (const choice of names) delete message[choice];
          });
          expectViolations(name, none, [violation("none-of", "none")]);

          let present: string[] = [];
          const two = changedMessage(value, steps, (message) => {
            const absent = choices.filter(({ json }) => message[json] === undefined);
            const second = absent[pick % absent.length]!;
            message[second.json] = fc.sample(memberOf(second), { numRuns: 1, seed: pick })[0]!;
            present = names.filter((choice) => message[choice] !== undefined);
          });
          expectViolations(name, two, [violation("several-of", `${present[0]} and ${present[1]}`)]);
        },
      );
    });
  }

  if (canHold(name, isTyped)) {
    test("a wrong JSON type anywhere is named by its path, and no other place is", () => {
      somewhere(
        name,
        (value) => placesOf(name, value).filter((place) => wrongFor(place).length > 0),
        (value, place, pick) => {
          const wrongs = [...wrongFor(place), null];
          const wrong = wrongs[pick % wrongs.length]!;
          const broken = changed(value, place.steps, (holder, step) => {
            holder[step] = wrong;
          });
          expect(validate(name, broken).map(({ path }) => path)).toEqual([place.path]);
          // To the reader a member that is null is not set, which may be fine; an element that is null never is.
          if (wrong === null && !place.element) return;
          expect(read(name, broken).violations?.map(({ path }) => path)).toEqual([place.path]);
        },
      );
    });
  }

  test("an unknown member is named by the strict validation and left behind by the reader", () => {
    somewhere(
      name,
      (value) => messagesIn(name, value),
      (value, { path, steps }) => {
        const extended = changedMessage(value, steps, (message) => {
          message["unheardOf"] = 1;
        });
        expect(validate(name, extended)).toMatchObject([{ path: `${path}.unheardOf`, code: "unknown-member", got: 1 }]);
        expect(read(name, extended)).toStrictEqual({ value });
      },
    );
  });

  test("the field table lists the fields of the descriptor, in order and under both names", () => {
    const listed = messages[name].map(({ json, proto: original, repeated, map, oneof }) => ({
      json,
      original,
      holds: repeated ? "list" : map ? "map" : "one",
      oneof,
    }));
    const described = descriptorOf(name).fields.map(({ jsonName, name: original, fieldKind, oneof }) => ({
      json: jsonName,
      original,
      holds: fieldKind === "list" || fieldKind === "map" ? fieldKind : "one",
      oneof: oneof?.name,
    }));
    expect(listed).toEqual(described);
  });
});

test("the field table knows every message of the descriptor, and the enum table every enum", () => {
  const { messages: described, enums: numbered } = proto.file_lf_a2a_v1_a2a;
  expect(messageNames).toEqual(described.map(({ name }) => name));
  const tables = numbered.map(({ name, values }) => [name, values.map((value) => [value.name, value.number])]);
  expect(Object.entries(enums).map(([name, values]) => [name, Object.entries(values)])).toEqual(tables);
});

const part = { text: "tides" };
const message = { messageId: "m-1", role: "ROLE_USER", parts: [part] };
const states =
  "TASK_STATE_SUBMITTED, TASK_STATE_WORKING, TASK_STATE_COMPLETED, TASK_STATE_FAILED, TASK_STATE_CANCELED, " +
  "TASK_STATE_INPUT_REQUIRED, TASK_STATE_REJECTED, TASK_STATE_AUTH_REQUIRED";
const utc = 'an ISO 8601 timestamp in UTC such as "2026-03-12T09:30:00.000Z"';

describe("a violation says what was expected and quotes what came", () => {
  const cases: [MessageName, unknown, Told[]][] = [
    ["Task", null, [{ path: "$", message: "expected an object, got null" }]],
    ["Task", [], [{ path: "$", message: "expected an object, got an array" }]],
    ["Task", "task", [{ path: "$", message: 'expected an object, got "task"' }]],
    [
      "Task",
      {},
      [
        { path: "$.id", message: "is required and missing" },
        { path: "$.status", message: "is required and missing" },
      ],
    ],
    ["TaskStatus", { state: "working" }, [{ path: "$.state", message: `expected one of ${states}, got "working"` }]],
    [
      "TaskStatus",
      { state: "TASK_STATE_UNSPECIFIED" },
      [{ path: "$.state", message: `expected one of ${states}, got "TASK_STATE_UNSPECIFIED"` }],
    ],
    [
      "TaskStatus",
      { state: "TASK_STATE_WORKING", timestamp: "2026-04-01T10:00:00+02:00" },
      [{ path: "$.timestamp", message: `expected ${utc}, got "2026-04-01T10:00:00+02:00"` }],
    ],
    [
      "Message",
      { ...message, parts: [part, { text: 7 }, { raw: "a_-" }] },
      [
        { path: "$.parts[1].text", message: "expected a string, got 7" },
        { path: "$.parts[2].raw", message: 'expected base64, got "a_-"' },
      ],
    ],
    [
      "SendMessageRequest",
      { message: { ...message, parts: {} }, configuration: { historyLength: 1.5, returnImmediately: "yes" } },
      [
        { path: "$.message.parts", message: "expected an array, got an object" },
        { path: "$.configuration.historyLength", message: "expected an integer, got 1.5" },
        { path: "$.configuration.returnImmediately", message: 'expected a boolean, got "yes"' },
      ],
    ],
    [
      "GetTaskRequest",
      { id: "t", historyLength: 2147483648 },
      [{ path: "$.historyLength", message: "expected a number <= 2147483647, got 2147483648" }],
    ],
    [
      "Part",
      { ...part, mediaType: "x".repeat(80), filename: ["x".repeat(80)] },
      [{ path: "$.filename", message: "expected a string, got an array" }],
    ],
    [
      "TaskStatus",
      { state: "x".repeat(80) },
      [{ path: "$.state", message: `expected one of ${states}, got "${"x".repeat(56)}…` }],
    ],
    [
      "SecurityRequirement",
      { schemes: { "0": { list: [1] }, "tide.read": { list: "x" }, plain: 7 }, "x-note": 1 },
      [
        { path: '$["x-note"]', message: "unknown member" },
        { path: '$.schemes["0"].list[0]', message: "expected a string, got 1" },
        { path: '$.schemes["tide.read"].list', message: 'expected an array, got "x"' },
        { path: "$.schemes.plain", message: "expected an object, got 7" },
      ],
    ],
  ];

  test.each(cases)("%s %j", (name, json, violations) => {
    expect(validate(name, json)).toMatchObject(violations);
  });
});

describe("the reader keeps what it cannot understand for the schema to name", () => {
  const cases: [string, MessageName, unknown, Told[]][] = [
    [
      "an enum number without a name",
      "TaskStatus",
      { state: 9 },
      [{ path: "$.state", message: `expected one of ${states}, got 9` }],
    ],
    [
      "the enum's zero, by name, where the member is REQUIRED",
      "TaskStatus",
      { state: "TASK_STATE_UNSPECIFIED" },
      [{ path: "$.state", message: "is required and missing" }],
    ],
    [
      "the enum's zero, by number, where the member is REQUIRED",
      "TaskStatus",
      { state: 0 },
      [{ path: "$.state", message: "is required and missing" }],
    ],
    [
      "null for a REQUIRED member",
      "GetTaskRequest",
      { id: null },
      [{ path: "$.id", message: "is required and missing" }],
    ],
    [
      "null as an element",
      "Message",
      { ...message, parts: [null] },
      [{ path: "$.parts[0]", message: "expected an object, got null" }],
    ],
    [
      "a local date that does not exist",
      "ListTasksRequest",
      { statusTimestampAfter: "2026-02-30T10:00:00+01:00" },
      [{ path: "$.statusTimestampAfter", message: `expected ${utc}, got "2026-02-30T10:00:00+01:00"` }],
    ],
    [
      "an offset beyond a day",
      "ListTasksRequest",
      { statusTimestampAfter: "2026-02-20T10:00:00+24:00" },
      [{ path: "$.statusTimestampAfter", message: `expected ${utc}, got "2026-02-20T10:00:00+24:00"` }],
    ],
  ];

  test.each(cases)("%s", (_name, name, json, violations) => {
    expect(read(name, json).violations).toMatchObject(violations);
  });
});

describe("the reader's liberties, one by one", () => {
  const cases: [string, MessageName, unknown, unknown][] = [
    ["an unspecified filter is no filter", "ListTasksRequest", { status: 0 }, {}],
    ["a filter by number is a filter by name", "ListTasksRequest", { status: 3 }, { status: "TASK_STATE_COMPLETED" }],
    ["null as data is a value", "Part", { data: null, media_type: null }, { data: null }],
    ["null beside a chosen member is not a choice", "Part", { text: null, url: "x:y" }, { url: "x:y" }],
    [
      "the JSON name wins over the original one",
      "GetTaskRequest",
      { id: "t", historyLength: 1, history_length: 2 },
      { id: "t", historyLength: 1 },
    ],
    ["unknown members of a struct stay", "Part", { data: { a_b: null }, x: 1 }, { data: { a_b: null } }],
    [
      "nanoseconds survive an offset",
      "ListTasksRequest",
      { statusTimestampAfter: "2026-01-01T01:00:00.123456789+02:00" },
      { statusTimestampAfter: "2025-12-31T23:00:00.123456789Z" },
    ],
    [
      "a moment without a fraction gets none",
      "ListTasksRequest",
      { statusTimestampAfter: "2026-01-01T01:00:00-00:30" },
      { statusTimestampAfter: "2026-01-01T01:30:00Z" },
    ],
  ];

  test.each(cases)("%s", (_name, name, json, value) => {
    expect(read(name, json)).toStrictEqual({ value });
  });
});
