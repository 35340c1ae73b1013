import { expect, test } from "vitest";
import { errorLine } from "./error-line.ts";

test.each([
  [
    "Node, which prints its version last",
    "node:internal/modules:1\n  throw err;\n  ^\n\nError: Cannot find module 'x'\n    at f (y)\n  [cause]: Error: no\n}\n\nNode.js v20.20.2\n",
    "Error: Cannot find module 'x'",
  ],
  [
    "Python, which prints the error last",
    "ValueError: first\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n  File x\nhttpx.ConnectError: refused\n",
    "httpx.ConnectError: refused",
  ],
  ["Java", 'Exception in thread "main" java.lang.Foo: no\n\tat a.b\n', 'Exception in thread "main" java.lang.Foo: no'],
  ["a tool in its own words", "curl: (7) Failed to connect\n\n", "curl: (7) Failed to connect"],
  ["nothing", "", ""],
])("%s", (_who, errors, line) => {
  expect(errorLine(errors)).toBe(line);
});
