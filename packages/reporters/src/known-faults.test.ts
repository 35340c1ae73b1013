import { type RunEvent, resultsOf } from "@assay/suite/report";
import { factsOf } from "@assay/suite/text";
import { expect, test } from "vitest";
import { html } from "./html.ts";
import { junit } from "./junit.ts";
import { markdown } from "./markdown.ts";
import type { Run } from "./run.ts";
import { oneFailure, runFrom, sampleRun } from "./sample.case.ts";
import { sarif } from "./sarif.ts";

/** The sample, with LIST-022 failing as it does on a2a-sdk 1.3.0. */
function failing({ isRecognised }: { readonly isRecognised: boolean }): Run {
  const added: RunEvent[] = [
    {
      event: "check-finished",
      result: {
        ...oneFailure,
        test: "LIST-022",
        code: "accepted",
        interface: { url: "http://127.0.0.1:9999/", dialect: "1.0", binding: "JSONRPC" },
      },
    },
    { event: "sdk-recognised", name: "a2a-python", because: "looks like a2a-sdk (Python)" },
  ];
  const last = sampleRun.events.length - 1;
  return runFrom([
    ...sampleRun.events.slice(0, last),
    ...(isRecognised ? added : added.slice(0, 1)),
    ...sampleRun.events.slice(last),
  ]);
}

const sentence = /known fault of a2a-sdk 1\.3\.0, not your code/;
const workaround = /ASGI middleware in front of the routes/;

test.each(Object.entries({ html, junit, markdown, sarif }))(
  "%s says which failure is the SDK's, and the workaround",
  (_, write) => {
    const text = write(failing({ isRecognised: true }));
    expect(text).toMatch(sentence);
    expect(text).toMatch(workaround);
    expect(write(failing({ isRecognised: false }))).not.toMatch(/known fault/);
  },
);

test("so does the page, which shows the facts of a result", () => {
  const { report } = failing({ isRecognised: true });
  const result = resultsOf(report).find(({ test: id }) => id === "LIST-022")!;
  expect(factsOf(result).find(({ label }) => label === "known")?.text).toMatch(sentence);
});
