import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UsageError } from "@assay/protocol/assay-error";
import { describe, expect, test } from "vitest";
import { readAssayYaml } from "./assay-yaml.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-yaml-"));
const file = join(folder, "assay.yaml");

function read(text: string): ReturnType<typeof readAssayYaml> {
  writeFileSync(file, text);
  return readAssayYaml(file);
}

function complaint(text: string): string {
  try {
    read(text);
  } catch (error) {
    if (error instanceof UsageError) return error.message.replaceAll(file, "assay.yaml");
  }
  return "nothing is wrong";
}

describe("assay.yaml", () => {
  test("says what a project knows about its agent", () => {
    expect(
      read(`
url: http://127.0.0.1:9999
depth: full
dialects: [1.0, "0.3"]
prompts: { task: Say OK, slow: wait }
expectations:
  recall: { ask: Which word was it?, expect: OK }
  privilegedSkills: [admin]
principals:
  default: { bearer: env:TOKEN }
timeouts: { task: 600 }
`),
    ).toEqual({
      file,
      url: "http://127.0.0.1:9999",
      depth: "full",
      dialects: ["1.0", "0.3"],
      prompts: { task: "Say OK", slow: "wait" },
      expectations: { recall: { ask: "Which word was it?", expect: "OK" }, privilegedSkills: ["admin"] },
      principals: { default: { bearer: "env:TOKEN" } },
      timeouts: { task: 600 },
    });
  });

  test("a prompt may be a message part by part", () => {
    expect(
      read("prompts: { task: { parts: [{ data: { city: Oslo } }, { raw: aGk=, filename: a.txt }] } }").prompts,
    ).toEqual({
      task: { parts: [{ data: { city: "Oslo" } }, { raw: "aGk=", filename: "a.txt" }] },
    });
  });

  test.each(["", "# nothing yet\n"])("may be empty: %j", (text) => {
    expect(read(text)).toEqual({ file });
  });

  test.each([
    ["depth: ful", 'assay.yaml:1:8 depth: expected one of card, free, quick, full, found "ful"'],
    ["url: x\nprompt:\n  task: hi", 'assay.yaml:2:1 "prompt" is unknown. Did you mean prompts?'],
    ["prompts:\n  tsk: hi", 'assay.yaml:2:3 "tsk" is unknown in prompts. Did you mean task?'],
    [
      "prompts:\n  task: 7",
      "assay.yaml:2:9 prompts.task: expected a text, or parts: a list of parts with text, data, raw or url, found 7",
    ],
    ["prompts:\n  task: { parts: [] }", "assay.yaml:2:18 prompts.task.parts: expected at least one part, found []"],
    [
      "prompts:\n  task: { parts: [{ text: hi, data: {} }] }",
      'assay.yaml:2:19 prompts.task.parts[0]: expected one of text, data, raw and url, found {"text":"hi","data":{}}',
    ],
    [
      "prompts:\n  task: { parts: [{ txt: hi }] }",
      'assay.yaml:2:21 "txt" is unknown in prompts.task.parts[0]. Did you mean text?\n' +
        'assay.yaml:2:19 prompts.task.parts[0]: expected one of text, data, raw and url, found {"txt":"hi"}',
    ],
    ["timeouts:\n  task: -1", "assay.yaml:2:9 timeouts.task: expected a number of seconds above 0, found -1"],
    ["only: LIST-003", 'assay.yaml:1:7 only: expected a list, found "LIST-003"'],
    [
      "principals:\n  second:\n    beare: env:X",
      'assay.yaml:3:5 "beare" is unknown in principals.second. Did you mean bearer?',
    ],
    ["dialects: [2.0]", "assay.yaml:1:12 dialects[0]: expected one of 0.1, 0.2, 0.3, 1.0, found 2"],
    ["- a list", 'assay.yaml:1:1 the file: expected names with values, found ["a list"]'],
    [
      "expectations:\n  recall:\n    ask: Which word was it?",
      "assay.yaml:3:5 expectations.recall.expect: expected a string, it is missing",
    ],
    [
      "expectations:\n  refinment: shorter",
      'assay.yaml:2:3 "refinment" is unknown in expectations. Did you mean refinement?',
    ],
    [
      "expectations:\n  otherCards: [second]",
      'assay.yaml:2:16 expectations.otherCards[0]: expected the address of a card, found "second"',
    ],
    ["webhook:", "nothing is wrong"],
    [
      `a: &a [x${",x".repeat(9)}]\nb: &b [*a${",*a".repeat(9)}]\nc: &c [*b${",*b".repeat(9)}]\nskip: [*c${",*c".repeat(9)}]`,
      "Cannot read settings from assay.yaml: Excessive alias count indicates a resource exhaustion attack",
    ],
    [`skip: [${"x,".repeat(600_000)}]`, "assay.yaml is larger than 1 MiB, the limit for settings"],
    ["minExamined: 101", "assay.yaml:1:14 minExamined: expected a percentage from 0 to 100, found 101"],
    ["agents: []", "assay.yaml:1:9 agents: expected at least one agent, found []"],
    [
      "agents:\n  - { name: a, url: http://a.test, dept: full }",
      'assay.yaml:2:36 "dept" is unknown in agents[0]. Did you mean depth?',
    ],
    [
      "baseline: known.yaml\nagents:\n  - { name: a, url: http://a.test }",
      'assay.yaml:1:11 baseline: expected no baseline next to agents: each agent has its own, found "known.yaml"',
    ],
    [
      "agents:\n  - { name: a, url: http://a.test }\n  - { name: a, url: http://b.test }",
      'assay.yaml:3:13 agents[1].name: expected a unique name, found "a"',
    ],
  ])("%j: %s", (text, says) => {
    expect(complaint(text)).toBe(says);
  });

  test("that is not YAML is an error with its place", () => {
    expect(complaint("url: [unclosed\ndepth: full")).toMatch(/^assay\.yaml:\d+:\d+ /);
  });

  test("one error names several mistakes", () => {
    expect(complaint("depth: x\nstrict: maybe").split("\n")).toHaveLength(2);
  });

  test("that was named and is not there is wrong usage", () => {
    expect(() => readAssayYaml(join(folder, "nowhere.yaml"))).toThrow("file not found");
  });
});
