import { describe, expect, test } from "vitest";
import { quirkRules } from "../quirks/rules.ts";
import { placeText } from "./page.ts";
import { readActsFile } from "./read-file.ts";

const head = 'acts_version: "1.0"\nspec_version: "1.0"\n';

/** A file with one test; the arguments are its steps and further members. */
const fileWith = (steps: string, more = ""): string => `${head}suites:
  - id: s
    name: S
    tests:
      - id: T-1
        name: T
        level: must
${more}        steps:
${steps}`;

const told = (text: string): string[] =>
  readActsFile("t.acts.yaml", text).page.mistakes.map(({ at, says }) => `${placeText(at)} ${says}`);

const rulesIn = (text: string): string[] => {
  const { read, page } = readActsFile("t.acts.yaml", text);
  expect(page.mistakes).toEqual([]);
  return read!.suites[0]!.tests[0]!.rules.map(({ rule, at }) => `${rule} ${at?.line}`);
};

describe("a mistake is an error with its place and the expected value", () => {
  test.each([
    [
      "what is no YAML",
      "a: [",
      [
        "t.acts.yaml:1:5 invalid YAML: Flow sequence in block collection must be sufficiently indented and end with a ]",
      ],
    ],
    ["a list at the top", "- a", ["t.acts.yaml:1:1 the file: expected names with values, found a list"]],
    [
      "a version of the format that we do not know",
      'acts_version: "2.0"\nspec_version: "1.0"\ninclude: [a.yaml]',
      ['t.acts.yaml:1:15 acts_version: expected 1.x, the format version that this runner supports, found "2.0"'],
    ],
    ["a file without tests", head, ['t.acts.yaml:1:1 the file: expected "suites" or "include", found neither']],
    [
      "an operation that does not exist",
      fileWith("          - id: a\n            operation: get_tsk\n            params: {}\n"),
      [
        't.acts.yaml:12:24 operation: expected one of send_message, send_streaming_message, get_task, list_tasks, cancel_task, subscribe_to_task, get_agent_card, get_extended_agent_card, create_push_config, get_push_config, list_push_configs, delete_push_config, found "get_tsk"',
      ],
    ],
    [
      "a key that does not exist",
      fileWith("          - id: a\n            operation: get_task\n            params: {}\n            expct: {}\n"),
      [
        't.acts.yaml:14:13 "expct" is unknown in a step; expected id, description, operation, params, repeat, delay_ms, expect, expect_error, expect_stream, x-assay, capture, assertions',
      ],
    ],
    [
      "a step that does not come before",
      fileWith('          - id: a\n            operation: get_task\n            params: { id: "{{b.taskId}}" }\n'),
      ["t.acts.yaml:11:13 {{b.taskId}}: expected an earlier step of T-1 (there is none)"],
    ],
    [
      "a number that is none",
      fileWith(
        "          - id: a\n            operation: get_task\n            params: {}\n            expect: { body: { n: { count_gte: one } } }\n",
      ),
      ['t.acts.yaml:14:47 count_gte: expected a whole number, found "one"'],
    ],
    [
      "a condition that is none",
      fileWith(
        "          - id: a\n            operation: get_task\n            params: {}\n            repeat: { until: forever }\n",
      ),
      ['t.acts.yaml:14:30 until: expected path == value, path != value or path in [value, …], found "forever"'],
    ],
    [
      "an error that does not exist",
      fileWith(
        "          - id: a\n            operation: get_task\n            params: {}\n            expect_error: { error_type: NoSuchError }\n",
      ),
      [
        't.acts.yaml:14:41 error_type: expected one of TaskNotFoundError, TaskNotCancelableError, UnsupportedOperationError, ContentTypeNotSupportedError, InvalidParamsError, VersionNotSupportedError, PushNotificationNotSupportedError, StreamingNotSupportedError, ExtensionSupportRequiredError, ExtendedCardNotSupportedError, JSONParseError, MethodNotFoundError, InternalError, found "NoSuchError"',
      ],
    ],
  ])("%s", (_what, text, expected) => {
    expect(told(text)).toEqual(expected);
  });
});

describe("what the corpus writes otherwise is read by a named rule", () => {
  const ask = "          - id: a\n            operation: get_task\n            params: {}\n";
  test.each([
    [`${ask}            expect_error: { code: TaskNotFoundError }\n`, "error-type-as-code 14"],
    [`${ask}            expect_error: { message: { type: string } }\n`, "error-of-any-type 14"],
    [`${ask}            expect: { task: { exists: true } }\n`, "body-beside-status 14"],
    [`${ask}            expect: { status: error, error: { exists: true } }\n`, "error-in-expect 14"],
    [`${ask}            expect_stream: { final_event: { status: { state: X } } }\n`, "payload-of-an-event 14"],
    [`${ask}            expect: { body: { a: { type: array, items: { b: 1 } } } }\n`, "items-of-an-array 14"],
    [`${ask}            expect: { body: { protocolBinding: { one_of: [JSONRPC, REST] } } }\n`, "rest-is-http-json 14"],
    [
      "          - id: a\n            operation: set_push_notification_config\n            params: {}\n",
      "push-operation-names 12",
    ],
    [
      "          - id: a\n            operation: get_agent_card\n            params: { extended: true }\n",
      "extended-card-by-parameter 13",
    ],
  ])("%s", (steps, rule) => {
    expect(rulesIn(fileWith(steps))).toEqual([rule]);
    expect(Object.keys(quirkRules)).toContain(rule.split(" ")[0]);
  });

  test("and what is written as the grammar says needs none", () => {
    const steps = `${ask}            expect_error: { error_type: TaskNotFoundError, message: { type: string } }\n`;
    expect(rulesIn(fileWith(steps))).toEqual([]);
  });
});

test("JSON is read as well", () => {
  const json = JSON.stringify({
    acts_version: "1.0",
    spec_version: "1.0",
    suites: [
      {
        id: "s",
        name: "S",
        tests: [{ id: "T", name: "T", level: "may", steps: [{ id: "a", operation: "list_tasks", params: {} }] }],
      },
    ],
  });
  const { read, page } = readActsFile("t.acts.json", json);
  expect(page.mistakes).toEqual([]);
  expect(read?.suites[0]?.tests[0]).toMatchObject({ id: "T", level: "may", steps: [{ operation: "list_tasks" }] });
});
