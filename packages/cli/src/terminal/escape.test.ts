import { expect, test } from "vitest";
import { brief, escapeText } from "./escape.ts";

test("control and bidirectional characters are shown, not obeyed", () => {
  expect(escapeText("\u001b[2Ja\nb\u202ec\u0007")).toBe("\\u001b[2Ja\\nb\\u202ec\\u0007");
});

test.each([
  ["::error file=app.js::owned", "\\::error file=app.js::owned"],
  ["  ::set-output name=x::y", "\\  ::set-output name=x::y"],
  ["see ##[command]rm", "see #\\u0023[command]rm"],
  ["x ##vso[task.setvariable variable=PATH]y", "x #\\u0023vso[task.setvariable variable=PATH]y"],
  ["a::b and ## heading", "a::b and ## heading"],
])("%j is no command for a build server", (text, safe) => {
  expect(escapeText(text)).toBe(safe);
});

test("a cut leaves room for the sign that says so", () => {
  expect(brief("abcdef", 4)).toBe("abc…");
});
