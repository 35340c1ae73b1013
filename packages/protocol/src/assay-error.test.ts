import { expect, test } from "vitest";
import { AssayError, UsageError } from "./assay-error.ts";

test("an error carries its code, hint, exit code and cause", () => {
  const cause = new Error("ENOENT");
  const error = new AssayError({ code: "key-refused", message: "no key", hint: "Name one.", exitCode: 3, cause });
  expect({ ...error, message: error.message, cause: error.cause }).toEqual({
    name: "AssayError",
    code: "key-refused",
    message: "no key",
    hint: "Name one.",
    exitCode: 3,
    cause,
  });
});

test("wrong usage exits with 2, and an error without a cause has none", () => {
  const error = new UsageError("--port: expected a number");
  expect(error).toBeInstanceOf(AssayError);
  expect(error).toMatchObject({ name: "UsageError", code: "usage", exitCode: 2, hint: undefined });
  expect("cause" in error).toBe(false);
});
