import { expect, test } from "vitest";
import { referencesIn, UnknownVariable, VariableScope } from "./scope.ts";

const scope = (more: Partial<ConstructorParameters<typeof VariableScope>[0]> = {}) =>
  new VariableScope({ variables: {}, given: {}, env: {}, ...more });

test("a text that is one variable keeps the value's type; within a text it becomes text", () => {
  const here = scope();
  here.capture("first", "count", 3);
  expect(here.fill({ n: "{{first.count}}", text: "has {{first.count}}", list: ["{{ first.count }}"] })).toEqual({
    n: 3,
    text: "has 3",
    list: [3],
  });
});

test("captures come first, then what is given, then the file's defaults, then the environment", () => {
  const here = scope({ variables: { a: "file", b: "file" }, given: { a: "given" }, env: { B: "env" } });
  expect([here.valueOf("a"), here.valueOf("b"), here.valueOf("env.B")]).toEqual(["given", "file", "env"]);
  here.capture("step", "a", "captured");
  expect(here.valueOf("step.a")).toBe("captured");
});

test("variables of the file may refer to others, and never to themselves", () => {
  const here = scope({ variables: { base: "{{env.URL}}/x", loop: "{{loop}}" }, env: { URL: "http://here" } });
  expect(here.valueOf("base")).toBe("http://here/x");
  expect(() => here.valueOf("loop")).toThrow(UnknownVariable);
});

test("every {{$uuid}} is another one", () => {
  const { a, b } = scope().fill({ a: "{{$uuid}}", b: "{{$uuid}}" });
  expect(a).toMatch(/^[0-9a-f-]{36}$/);
  expect(a).not.toBe(b);
});

test("what has no value is said by its name", () => {
  expect(() => scope().fill("Bearer {{token}}")).toThrow("{{token}}");
});

test("references are found wherever they stand", () => {
  expect(referencesIn({ a: ["{{x.y}} and {{z}}"], b: { c: "{{$uuid}}" }, d: 1 })).toEqual(["x.y", "z", "$uuid"]);
});
