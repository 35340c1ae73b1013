import { expect, test } from "vitest";
import { junit } from "./junit.ts";
import { markdown } from "./markdown.ts";
import { inTwoVersions, sampleRun } from "./sample.fixture.ts";

test("Markdown has a line for each version, with its answer and how it is known", () => {
  expect(markdown(inTwoVersions())).toMatch(
    /\| version \| answer \| known by \|\n\| --- \|.*\n\| 1\.0 \| .*\n\| 0\.3 \| .* \| the endpoint knows .*message\/send.*; the card does not declare it, so it never causes a failure \|\n/,
  );
  expect(markdown(sampleRun)).not.toContain("| version |");
});

test("JUnit has suites for each version, the card's included, and a property for each", () => {
  const xml = junit(inTwoVersions());
  const suites = [...xml.matchAll(/<testsuite name="([^"]*)"/g)].map(([, name]) => name);
  expect(suites).toEqual(["card", "card 0.3", "JSON-RPC", "JSON-RPC 0.3"]);
  expect(xml).toContain('name="assay.version.0.3"');
});
