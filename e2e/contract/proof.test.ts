import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measureContract, requirements } from "@assay/clients";
import { afterAll, describe, expect, test } from "vitest";
import { isProof, provesAll, sampleOf } from "../fixtures/proves-all.fixture.ts";
import { measure } from "./measure.fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-contract-proof-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Requirements for which the contract leaves open how a tool is asked. */
const unmeasurable = ["A2ACLI_CARD_GET_005", "A2ACLI_PUSH_002", "A2ACLI_AUTH_009"];
const about = (area: string) => requirements.filter(({ id }) => id.includes(`_${area}_`)).map(({ id }) => id);
const breakable = requirements.map(({ id }) => id).filter((id) => ![...unmeasurable, ...about("SKILL")].includes(id));

/** Broken tools that never come to an end, so each costs the time limit three times. */
const endless = ["A2ACLI_SEND_002", "A2ACLI_TASK_POLL_003"];
const sample = [
  ...["A2ACLI_SEND_004", "A2ACLI_INTERACT_003"],
  ...(isProof ? ["A2ACLI_OUT_002", "A2ACLI_EXIT_001", "A2ACLI_AUTH_004"] : []),
];

const skillWith = (text: string): string => {
  const at = mkdtempSync(join(folder, "skill-"));
  writeFileSync(join(at, "SKILL.md"), text);
  return at;
};
const goodSkill = skillWith("---\nname: a2a\n---\nRun `a2a help` to see the commands.\n");

test.each([
  ["the good tool", []],
  ["a tool that is unusual in every way that the contract allows", ["odd:all"]],
])("%s passes everything that can be measured", async (_name, words) => {
  const only = provesAll ? undefined : [...sample, ...about("SKILL"), "A2ACLI_CARD_GET_005"];
  const { outcomes } = await measure(words, { agentSkill: goodSkill, ...(only && { only }) });
  const others = [...outcomes].filter(([id, { status }]) => status !== "pass" && (only?.includes(id) ?? true));
  expect(others.map(([id, { status, note }]) => [id, status, note])).toEqual(
    unmeasurable
      .filter((id) => only?.includes(id) ?? true)
      .map((id) => [id, "not_measured", expect.stringContaining("the contract")]),
  );
});

describe("a tool that breaks one requirement does not pass it", () => {
  test.each(provesAll ? breakable : sample)("%s", async (id) => {
    const timeoutMs = endless.includes(id) ? 8_000 : 60_000;
    const { outcomes } = await measure([`broken:${id.replace("A2ACLI_", "")}`], { only: [id], timeoutMs });
    const { status, note, faults } = outcomes.get(id)!;
    expect(["fail", "partial"], note).toContain(status);
    expect(faults[0]).toMatchObject({
      expected: expect.any(String),
      seen: expect.any(String),
      fix: expect.any(String),
    });
  });
});

/** Parts of requirements that a tool can miss alone. What cannot be seen is not measured. */
const parts: readonly (readonly [part: string, id: string, status: string, note: RegExp])[] = [
  ["gated-operations", "A2ACLI_VER_003", "not_measured", /none of these operations/],
  ["push-capability", "A2ACLI_VER_003", "partial", /no CreateTaskPushNotificationConfig to an agent/],
  ["task-get", "A2ACLI_EXIT_001", "not_measured", /sent no GetTask/],
  ["bare-host", "A2ACLI_CARD_GET_001", "partial", /the card from a bare host/],
  ["query-key", "A2ACLI_AUTH_001", "partial", /the API key in the query parameter/],
  ["cookie-key", "A2ACLI_AUTH_001", "partial", /the API key in the cookie/],
  ["mismatched-context", "A2ACLI_INTERACT_002", "partial", /a failure for a task and a context that do not correspond/],
  ["conventional-path", "A2ACLI_CONFIG_001", "partial", /files only below a conventional path/],
  ["stream-end", "A2ACLI_OUT_001", "partial", /with the last event of --stream/],
];

describe("a tool that misses a part of a requirement does not pass it", () => {
  test.each(sampleOf(parts, 2))("%s", async (part, id, status, note) => {
    const { outcomes } = await measure([`misses:${part}`], { only: [id] });
    expect(outcomes.get(id)).toMatchObject({ status, note: expect.stringMatching(note) });
    expect(outcomes.get(id)!.faults.length).toBe(status === "not_measured" ? 0 : 1);
  });
});

describe("Agent Skills", () => {
  const skills = about("SKILL");
  const statusesWith = async (agentSkill?: string) => {
    const { outcomes } = await measure([], { only: skills, ...(agentSkill !== undefined && { agentSkill }) });
    return skills.map((id) => outcomes.get(id)!.status);
  };

  test("are not measured unless the user says whether there is one", async () => {
    expect(await statusesWith()).toEqual(["not_measured", "not_measured"]);
    expect(await statusesWith("none")).toEqual(["na", "na"]);
  });

  test("have to defer to the help and repeat no requirements", async () => {
    const text = `The tool MUST wait (A2ACLI_SEND_002).${"\n".repeat(600)}`;
    expect(await statusesWith(skillWith(text))).toEqual(["partial", "fail"]);
  });

  test("may be long and tell the agent what it must do, with a remark", async () => {
    const agentSkill = skillWith(`You MUST run \`a2a help\` first.${"\n".repeat(600)}`);
    const { outcomes } = await measure([], { only: skills, agentSkill });
    expect(skills.map((id) => outcomes.get(id))).toEqual([
      { status: "pass", faults: [], note: "the skill has 601 lines, and should be short" },
      { status: "pass", faults: [], note: expect.stringContaining("You MUST run `a2a help` first") },
    ]);
  });
});

test("a command that cannot be started measures nothing", async () => {
  const { outcomes, trouble } = await measureContract({
    command: [join(folder, "no-such-tool")],
    env: { PATH: process.env["PATH"] },
    version: "0",
    timeoutMs: 60_000,
  });
  expect(trouble).toBe("command not found");
  expect([...outcomes.values()].filter(({ status }) => status === "pass")).toEqual([]);
});

test("an interrupted run fails nothing", async () => {
  const stop = new AbortController();
  const { outcomes } = await measure([], {
    signal: stop.signal,
    onMeasured: () => stop.abort(),
    concurrency: 4,
  });
  expect([...outcomes.values()].filter(({ status }) => status === "fail" || status === "partial")).toEqual([]);
});
