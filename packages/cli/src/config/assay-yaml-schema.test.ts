import { readFileSync } from "node:fs";
import { assayYamlSchema } from "@assay/library/config";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { templateFor } from "./template.ts";

/** The schema for editors, of the one that reads the file. After a change of that: this test with `-u` writes it anew. */
function editorSchema(): object {
  const schema = z.toJSONSchema(assayYamlSchema, {
    io: "input",
    unrepresentable: "any",
    override({ jsonSchema }) {
      // A name with nothing behind it says nothing, as where all its lines are comments.
      if (jsonSchema.type === "object" && jsonSchema.properties)
        Object.assign(jsonSchema, { type: ["object", "null"] });
    },
  });
  return { $id: "urn:a2a-assay:schema:assay-yaml", title: "assay.yaml: settings of assay test", ...schema };
}

test("the published schema is that of the reader", async () => {
  await expect(`${JSON.stringify(editorSchema(), null, 2)}\n`).toMatchFileSnapshot(`../../schemas/assay-yaml.json`);
});

const isAssayYaml = new Ajv2020({ strict: false, validateFormats: false }).compile(editorSchema());

test.each([
  [
    "what assay init writes",
    templateFor({
      url: "http://127.0.0.1:9999",
      name: "Weather",
      version: "1",
      skills: [],
      logins: [],
      needsLogin: false,
      otherHosts: [],
      hasPush: true,
      readsText: true,
      learned: [],
    }),
  ],
  [
    "one agent",
    "url: http://a.test\nstart: npm run agent\ndialects: [1.0, '0.3']\nfailOn: not-examined\nminExamined: 60\n",
  ],
  [
    "several agents",
    "depth: full\nagents:\n  - { name: maps, url: http://a.test }\n  - { name: mail, url: http://b.test, requireLevel: full }\n",
  ],
  ["a prompt of parts", "prompts: { task: { parts: [{ data: { city: Oslo } }] }, slow: wait }\n"],
])("%s is taken by the schema", (_, text) => {
  expect(isAssayYaml(parse(text))).toBe(true);
});

const examples = [...readFileSync("docs/ci.md", "utf8").matchAll(/^```yaml\n(.*?)^```$/gms)]
  .map(([, text]) => text!)
  .filter((text) => /^(url|agents):/m.test(text));

test("the examples of the documentation are taken too", () => {
  expect(examples).toHaveLength(2);
  for (const text of examples) {
    expect(isAssayYaml(parse(text))).toBe(true);
    expect(assayYamlSchema.safeParse(parse(text)).success).toBe(true);
  }
});

test.each([
  "depth: ful",
  "prompt: hi",
  "agents: [{ url: http://a.test }]",
  "minExamined: 120",
  "start: [npm]",
  "dialects: [2.0]",
])("%s is refused by the schema and by the reader", (text) => {
  expect(isAssayYaml(parse(text))).toBe(false);
  expect(assayYamlSchema.safeParse(parse(text)).success).toBe(false);
});

test("every name at the top is described", () => {
  const { properties } = editorSchema() as { properties: Record<string, { description?: string }> };
  const silent = Object.entries(properties).filter(([, { description }]) => !description);
  expect(silent.map(([name]) => name)).toEqual([]);
});
