import { foldRun } from "@assay/suite/report";
import { expect, test } from "vitest";
import { html } from "./html.ts";
import { junit } from "./junit.ts";
import { markdown } from "./markdown.ts";
import type { Run } from "./run.ts";
import { oneFailure, sampleRun, sampleWith } from "./sample.case.ts";

/** The sample, as if it spoke 0.3 besides and its card did not say so. */
function inTwoVersions(): Run {
  const older = { ...oneFailure, dialect: "0.3", interface: { ...oneFailure.interface!, dialect: "0.3" } };
  const { interface: _on, ...aboutTheCard } = { ...oneFailure, category: "agent-card" as const, test: "CARD-004" };
  const { events } = sampleWith([oneFailure, older, aboutTheCard, { ...aboutTheCard, dialect: "0.3" }]);
  const told = events.map((event) =>
    event.event === "agent-found"
      ? {
          ...event,
          dialects: [...event.dialects, { dialect: "0.3", because: "the endpoint knows `message/send`" }],
        }
      : event,
  );
  return { events: told, report: foldRun(told) };
}

test("Markdown has a line for each version, with its answer and how it is known", () => {
  expect(markdown(inTwoVersions())).toMatch(
    /\| version \| answer \| known by \|\n\| --- \|.*\n\| 1\.0 \| .*\n\| 0\.3 \| .* \| the endpoint knows .*message\/send.*; the card does not say so, and nothing fails by it \|\n/,
  );
  expect(markdown(sampleRun)).not.toContain("| version |");
});

test("HTML says the same", () => {
  expect(html(inTwoVersions())).toContain(
    "known by: the endpoint knows <code>message/send</code>; the card does not say so, and nothing fails by it</dd>",
  );
  expect(html(sampleRun)).not.toContain("<dt>version ");
});

test("JUnit has suites for each version, the card's included, and a property for each", () => {
  const xml = junit(inTwoVersions());
  const suites = [...xml.matchAll(/<testsuite name="([^"]*)"/g)].map(([, name]) => name);
  expect(suites).toEqual(["card", "card 0.3", "JSON-RPC", "JSON-RPC 0.3"]);
  expect(xml).toContain('name="assay.version.0.3"');
});
