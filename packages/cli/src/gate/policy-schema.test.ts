import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { policySchema } from "./policy.ts";

const schema = {
  $id: "urn:a2a-assay:schema:gate-yaml",
  title: "gate.yaml: a policy of assay gate",
  ...z.toJSONSchema(policySchema, { io: "input" }),
};

test("the published schema is that of the reader; after a change, -u writes it", async () => {
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot("../../schemas/gate-yaml.json");
});

test("it accepts the policy of the documentation, and no other members", () => {
  const isPolicy = new Ajv2020({ strict: false }).compile(schema);
  const [, policy] = /```yaml\n([\s\S]*?)```/.exec(readFileSync("docs/gate.md", "utf8"))!;
  expect(isPolicy(parse(policy!))).toBe(true);
  expect(isPolicy({ tests: {} })).toBe(false);
});
