import type { Message, Part } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { conventionHarness } from "../conventions/harness.fixture.ts";
import { conventions } from "../conventions/index.ts";
import { adminStatus } from "../skills/admin-status.ts";
import { coreSkills, moreSkills } from "../skills/index.ts";
import { byKeyword, routeBy } from "./routing.ts";

const route = byKeyword([...coreSkills, ...moreSkills]);

const saying = (...parts: Part[]): Message => ({ messageId: "m", role: "ROLE_USER", parts });

const routed = (...parts: Part[]): [string, string] => {
  const { skill, argument } = route(saying(...parts));
  return [skill.id, argument];
};

test.each([
  ["big", "big", ""],
  ["big 100", "big", "100"],
  ["BIG 100", "big", "100"],
  ["Task-LifeCycle go", "task-lifecycle", "go"],
  [" \t\n big  100  ", "big", "100"],
  ["\u00a0big 100", "big", "100"],
  ["big\n100", "big", "100"],
  ["big: 100", "big", ": 100"],
  ["big, please", "big", ", please"],
  ["big.", "big", "."],
  ["relay http://127.0.0.1/x a b", "relay", "http://127.0.0.1/x a b"],
])("%j goes to the skill %s with %j", (text, skill, argument) => {
  expect(routed({ text })).toEqual([skill, argument]);
});

test.each([
  "biggest",
  "big2",
  "big_one",
  "big-one",
  "big-",
  "bi",
  "a big one",
  "-big",
  "task lifecycle",
  "task-lifecycles",
  "help",
  "constructor",
  "__proto__",
  "",
  "💥",
])("%j goes to no skill, and is answered with the keywords", (text) => {
  expect(routed({ text })).toEqual(["help", text]);
});

test("the first part with a text decides", () => {
  expect(routed({ data: { text: "chunks" } }, { text: "big 1" }, { text: "chunks 2" })).toEqual(["big", "1"]);
  expect(routed({ data: "big" })).toEqual(["help", ""]);
});

test("the keywords are told in a message", async () => {
  const { skill } = route(saying({ text: "what?" }));
  const events = await skill.run({} as never).next();
  expect(events.value).toEqual({
    is: "message",
    parts: [
      {
        text: `Start your message with one of: ${[...coreSkills, ...moreSkills].map(({ id }) => id).join(", ")}`,
      },
    ],
  });
});

describe("an agent that knows the conventions of other suites", () => {
  const conventional = routeBy(coreSkills, { secret: [adminStatus], conventions });
  const reached = (messageId: string, text: string) => conventional({ ...saying({ text }), messageId }).skill.id;

  test.each([
    ["tck-complete-task-1f2e3d4c", "tck-complete-task hello", "tck"],
    ["tck-complete-task-1f2e3d4c", "task-lifecycle hello", "tck"],
    ["tck-whatever", "hello", "tck"],
    ["test-resubscribe-message-id-7", "hello", "tck"],
    ["m", "tck-complete-task hello", "acts"],
    ["m", "tck-no-such-thing", "acts"],
    ["test-message-id", "tck-cancel", "acts"],
    ["m", "task-lifecycle tck-complete-task", "task-lifecycle"],
    ["m", "admin-status", "admin-status"],
    ["m", "see tck-complete-task", "help"],
    ["m", "tck", "help"],
    ["m", "tck-", "help"],
    ["TCK-complete-task", "hello", "help"],
    ["a-tck-complete-task", "hello", "help"],
  ])("takes the messageId %j with the text %j to %s: id, then text, then keyword, then the list", (id, text, skill) => {
    expect(reached(id, text)).toBe(skill);
  });

  test("names neither the secret nor the conventions to those who use no keyword", async () => {
    const { skill } = conventional(saying({ text: "what?" }));
    expect((await skill.run({} as never).next()).value).toMatchObject({
      parts: [{ text: `Start your message with one of: ${coreSkills.map(({ id }) => id).join(", ")}` }],
    });
  });

  test("keeps a follow-up with the skill it talks to, whatever its id and its words", async () => {
    const { begin } = conventionHarness();
    const task = await begin({ text: "multi-turn" });
    const second = await begin({ id: "tck-complete-task-1f2e3d4c", text: "tck-complete-task", task });
    expect(second.status.message?.parts[0]?.text).toMatch(/^\[multi-turn\] Noted/);
  });
});

test("an agent without conventions takes the words of other suites for any others", () => {
  expect(routed({ text: "tck-complete-task hello" })).toEqual(["help", "tck-complete-task hello"]);
});
