import { expect, test } from "vitest";
import { ContractLab, toolName } from "./lab.ts";
import { measureContract, outcomeOf } from "./measure.ts";

const open = () =>
  ContractLab.open({
    command: ["a2a"],
    env: {},
    version: "0",
    timeoutMs: 60_000,
    signal: new AbortController().signal,
    learned: { speaks: new Set(), defaults: new Map(), codes: new Set() },
  });

test("a probe that stops costs only its requirement, and keeps the faults it saw", async () => {
  const lab = await open();
  const stops = async (): Promise<never> => {
    throw new Error(`EACCES: permission denied, open '${lab.home}/token'`);
  };
  expect(await outcomeOf(lab, stops)).toEqual({
    status: "not_measured",
    note: "the probe of Assay stopped: EACCES: permission denied, open '~/token'",
    faults: [],
  });
  lab.expect(false, "a card", "nothing", "Print the card.");
  expect((await outcomeOf(lab, stops)).status).toBe("fail");
  await lab.close();
});

test("a tool that cannot be started fails no requirement", async () => {
  const { outcomes, trouble } = await measureContract({
    command: ["no-such-program-here"],
    env: {},
    version: "0",
    timeoutMs: 60_000,
  });
  expect(trouble).toMatch(/not found/);
  expect(outcomes.size).toBe(66);
  expect(new Set([...outcomes.values()].map(({ status }) => status))).toEqual(new Set(["not_measured"]));
});

test.each([
  [["a2a"], "a2a"],
  [["npx", "-y", "@scope/a2a-cli"], "a2a-cli"],
  [[process.execPath, "-m"], "node"],
  [["a2a", "--token", "s3cret-4711"], "a2a"],
])("%j is called %s", (command, name) => {
  expect(toolName(command)).toBe(name);
});
