import { fileURLToPath } from "node:url";
import { measureContract } from "@assay/clients";
import { expect, test } from "vitest";

const path = (file: string): string => fileURLToPath(new URL(`../../${file}`, import.meta.url));

test("our own commands reach as far as docs/contract.md says", async () => {
  const { outcomes } = await measureContract({
    command: [process.execPath, path("packages/cli/bin/assay.js")],
    env: { PATH: process.env["PATH"] },
    version: "0",
    timeoutMs: 60_000,
    agentSkill: path("skills/assay"),
  });
  const having = (wanted: string) => [...outcomes].filter(([, { status }]) => status === wanted).map(([id]) => id);
  expect(having("pass").toSorted()).toEqual(
    ["CLI_001", "CLI_002", "SKILL_001", "SKILL_002"].map((name) => `A2ACLI_${name}`),
  );
  expect([having("fail").length, having("partial").length, having("not_measured").length]).toEqual([13, 0, 49]);
});
