import { resultsOf } from "@assay/suite/report";
import { factsOf } from "@assay/suite/text";
import { expect, test } from "vitest";
import { junit } from "./junit.ts";
import { markdown } from "./markdown.ts";
import { knownFaultRun } from "./sample.fixture.ts";
import { sarif } from "./sarif.ts";

const sentence = /known fault of a2a-sdk 1\.3\.0, not your code/;
const workaround = /ASGI middleware in front of the routes/;

test.each(Object.entries({ junit, markdown, sarif }))(
  "%s says which failure is the SDK's, and the workaround",
  (_, write) => {
    const text = write(knownFaultRun({ isRecognised: true }));
    expect(text).toMatch(sentence);
    expect(text).toMatch(workaround);
    expect(write(knownFaultRun({ isRecognised: false }))).not.toMatch(/known fault/);
  },
);

test("so does the page, which shows the facts of a result", () => {
  const { report } = knownFaultRun({ isRecognised: true });
  const result = resultsOf(report).find(({ test: id }) => id === "LIST-022")!;
  expect(factsOf(result).find(({ label }) => label === "known")?.text).toMatch(sentence);
});
