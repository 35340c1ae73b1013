import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { namedAgents } from "./named-agents.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-named-agents-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
function configWith(text: string): string {
  const file = join(folder, `${files++}.yaml`);
  writeFileSync(file, text);
  return file;
}

test("the page offers the agents of assay.yaml with the settings of its form", () => {
  const one = configWith("url: 127.0.0.1:9999\ndepth: full\nprincipals: { default: { bearer: env:TOKEN } }\n");
  expect(namedAgents(undefined, one)).toEqual([{ url: "127.0.0.1:9999", depth: "full" }]);
  const several = configWith(
    "faults: true\nagents:\n  - { name: a, url: http://a.example }\n  - { name: b, url: http://b.example, faults: false }\n",
  );
  const [a, b] = [
    { name: "a", url: "http://a.example", faults: true },
    { name: "b", url: "http://b.example", faults: false },
  ];
  expect(namedAgents(undefined, several)).toEqual([a, b]);
  expect(namedAgents("b.example/", configWith("url: http://b.example\n"))).toEqual([{ url: "http://b.example" }]);
  expect(namedAgents("http://c.example", several)).toEqual([{ url: "http://c.example" }, a, b]);
});

test("an address with a secret is not offered", () => {
  const config = configWith(
    "agents:\n  - { name: a, url: 'http://me:s3cret@a.example' }\n  - { name: b, url: 'http://b.example/?token=s3cret' }\n",
  );
  expect(namedAgents("http://me:s3cret@c.example", config)).toEqual([]);
});

test("without a file, or with an invalid one, the page still opens", () => {
  expect(namedAgents(undefined, join(folder, "none.yaml"))).toEqual([]);
  expect(namedAgents(undefined, configWith("url: [unclosed"))).toEqual([]);
  expect(namedAgents("a.example", configWith("depht: full"))).toEqual([{ url: "a.example" }]);
});
