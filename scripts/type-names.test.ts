import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { sourcesOf } from "./sources.fixture.ts";

/** Each version of the protocol has shapes of its own, under the names that the protocol gives them. */
const isOfOneVersion = (file: string): boolean => /packages\/protocol\/src\/dialects\/v\d/.test(file);

const exported = /^export (?:declare )?(?:abstract )?(?:interface|type|class|enum) (\w+)/gm;

function exportersByName(): Map<string, string[]> {
  const files = new Map<string, string[]>();
  for (const file of sourcesOf("packages").filter((path) => !/\/(generated|dist|node_modules)\//.test(path))) {
    if (isOfOneVersion(file)) continue;
    for (const [, name] of readFileSync(file, "utf8").matchAll(exported))
      files.set(name!, [...(files.get(name!) ?? []), file]);
  }
  return files;
}

test("no exported type name stands for two things", () => {
  const twice = [...exportersByName()].filter(([, files]) => files.length > 1);
  expect(twice).toEqual([]);
});
