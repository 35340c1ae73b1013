import { expect, test } from "vitest";
import { run } from "../main.ts";
import { paperScreen } from "../screen.fixture.ts";

async function explained(...flags: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const screen = paperScreen();
  const code = await run(["explain", ...flags], screen);
  return { code, out: screen.out(), err: screen.err() };
}

test("--errors lists the codes of a version, each with the JSON of its response", async () => {
  const { code, out } = await explained("--errors", "--dialect", "0.2", "--json");
  const { errors } = JSON.parse(out) as { errors: { jsonrpc: number; name: string; response: { error: object } }[] };
  expect([code, errors.map(({ jsonrpc }) => jsonrpc)]).toEqual([
    0,
    [-32001, -32002, -32003, -32004, -32005, -32006, -32600, -32601, -32602, -32603, -32700],
  ]);
  expect(errors[0]!.response.error).toEqual({ code: -32001, message: "Task not found" });
  expect(errors.at(-1)!.response).toMatchObject({ id: null, error: { message: "Invalid JSON payload" } });
});

test("every error of 0.3 has the text of its schema", async () => {
  const { out } = await explained("--errors", "--dialect", "0.3", "--json");
  const { errors } = JSON.parse(out) as { errors: { response: { error: { code: number; message: string } } }[] };
  expect(errors.map(({ response: { error } }) => error.message)).toEqual([
    "Task not found",
    "Task cannot be canceled",
    "Push Notification is not supported",
    "This operation is not supported",
    "Incompatible content types",
    "Invalid agent response",
    "Authenticated Extended Card is not configured",
    "Request payload validation error",
    "Method not found",
    "Invalid parameters",
    "Internal error",
    "Invalid JSON payload",
  ]);
});

test("1.0 has details, and its errors a status on every binding", async () => {
  const { out } = await explained("--errors", "--dialect", "1.0");
  expect(out).toContain("-32001  TaskNotFoundError (HTTP 404 and gRPC NOT_FOUND)");
  expect(out).toContain('"reason":"TASK_NOT_FOUND"');
});

test("--markdown prints a table for each version", async () => {
  const { out } = await explained("--errors", "--markdown");
  expect(out.match(/^## .*/gm)).toEqual(["1.0", "0.3", "0.2", "0.1"].map((each) => `## Error codes of A2A ${each}`));
  expect(out).toContain("| -32007 | AuthenticationRequiredError |");
});

test("without a rule, an error or --errors it says what to give", async () => {
  expect((await explained()).err).toContain("No rule or error to explain.");
  expect((await explained("--errors", "-32001")).code).toBe(2);
  expect((await explained("LIST-003", "--dialect", "0.2")).err).toContain("--dialect and --markdown require --errors");
});
