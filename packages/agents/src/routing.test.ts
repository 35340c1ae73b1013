import type { Message, Part } from "@assay/protocol";
import { expect, test } from "vitest";
import { byKeyword } from "./routing.ts";
import { coreSkills, moreSkills } from "./skills/index.ts";

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
