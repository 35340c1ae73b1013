import { describe, expect, test } from "vitest";
import { SdkRecogniser } from "./recognise-sdk.ts";

type Response = Parameters<SdkRecogniser["take"]>[0]["response"];

const answered = (text: string, headers: readonly { name: string; value: string }[] = []) =>
  ({ headers, content: { size: text.length, mimeType: "application/json", text } }) as unknown as Response;

const rpc = (message: string, code = -32001) =>
  answered(JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code, message } }));

function recognised(...responses: Response[]): string | undefined {
  const recogniser = new SdkRecogniser();
  for (const response of responses) recogniser.take({ response });
  return recogniser.sdk?.name;
}

describe("an SDK is recognised", () => {
  test.each<[string, readonly Response[]]>([
    [
      "a2a-python",
      [
        rpc("A2A version '99.0' is not supported by this handler. Expected version '1.0'."),
        answered(
          `data: ${JSON.stringify({ error: { code: -32004, message: "Task 7 is in terminal state: TASK_STATE_FAILED" } })}\n\n`,
        ),
      ],
    ],
    [
      "a2a-python",
      [
        answered('{"message":"Authenticated card not supported"}'),
        answered("", [{ name: "grpc-message", value: "InvalidParamsError: Task 7 was specified but does not exist" }]),
      ],
    ],
    [
      "a2a-js",
      [
        rpc("Invalid JSON-RPC Request."),
        answered("", [
          {
            name: "grpc-message",
            value: "Push%20notification%20config%20with%20id%20''%20not%20found%20for%20task%207.",
          },
        ]),
      ],
    ],
    ["a2a-go", [rpc("failed to list tasks: unauthenticated", -31401), rpc("task not found: no active execution")]],
    [
      "a2a-rust",
      [
        rpc("version not supported: 99.0"),
        answered("Failed to deserialize query string: pageSize: invalid digit found in string"),
      ],
    ],
    ["python-a2a", [answered('{"capabilities":{"google_a2a_compatible":true,"parts_array_format":true}}')]],
    [
      "mastra",
      [
        answered(
          `{"error":"Invalid request body","issues":[{"field":"method","message":"Invalid discriminator value. Expected 'message/send' | 'tasks/get'"}]}`,
        ),
      ],
    ],
    ["voltagent", [answered('data: \u001e{"jsonrpc":"2.0"}\n\n'), rpc("Body is not a valid JSON-RPC request", -32603)]],
  ])("as %s", (name, responses) => expect(recognised(...responses)).toBe(name));
});

describe("no SDK is recognised", () => {
  const version = rpc("A2A version '99.0' is not supported by this handler. Expected version '1.0'.");

  test("by one sentence, however often it is said", () =>
    expect(recognised(version, version, version)).toBeUndefined());

  test("by the server that it runs on", () =>
    expect(
      recognised(
        answered("{}", [
          { name: "server", value: "uvicorn" },
          { name: "x-powered-by", value: "Express" },
        ]),
      ),
    ).toBeUndefined());

  test("by errors that everybody writes", () =>
    expect(recognised(rpc("Task not found"), rpc("Invalid params"), rpc("Validation failed"))).toBeUndefined());

  test("by what a result repeats", () => {
    const message = "Task 7 is in terminal state: TASK_STATE_FAILED";
    expect(recognised(version, answered(JSON.stringify({ result: { message, error: message } })))).toBeUndefined();
  });

  test("where another one shows too", () =>
    expect(
      recognised(version, rpc("Task 7 is in terminal state: TASK_STATE_FAILED"), rpc("Invalid JSON-RPC Request.")),
    ).toBeUndefined());

  test("by an error that nests deeper than we read", () => {
    const deep = `${"[".repeat(100)}${"]".repeat(100)}`;
    const message = "Task 7 is in terminal state: TASK_STATE_FAILED";
    expect(recognised(version, answered(`{"error":{"message":"${message}","data":${deep}}}`))).toBeUndefined();
  });
});
