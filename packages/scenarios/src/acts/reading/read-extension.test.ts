import { describe, expect, test } from "vitest";
import type { OperationStep, Test } from "../model.ts";
import { readActsFile } from "./read-file.ts";

/** A document with `x-assay` in each possible place. */
const document = ({ outer = "", suite = "", scenario = "", step = "" }) => `
acts_version: "1.0"
spec_version: "1.0"
${outer}
suites:
  - id: s
    name: a suite
    ${suite}
    tests:
      - id: T-1
        name: a test
        level: must
        ${scenario}
        steps:
          - id: stream
            operation: send_streaming_message
            params: {}
            ${step}
`;

function testIn(pieces: Parameters<typeof document>[0]): Test {
  const { read, page } = readActsFile("x.acts.yaml", document(pieces));
  expect(page.mistakes).toEqual([]);
  return read!.suites[0]!.tests[0]!;
}

const mistakesIn = (pieces: Parameters<typeof document>[0]): string[] =>
  readActsFile("x.acts.yaml", document(pieces)).page.mistakes.map(({ at, says }) => `${at.line} ${says}`);

describe("where a test is run", () => {
  test("is the address itself where nothing is said", () => {
    expect(testIn({})).not.toHaveProperty("agent");
  });

  test("is what the innermost of document, suite and test says", () => {
    const outer = "x-assay: { agent: echo, rows: old }";
    const suite = "x-assay: { agent: spec }";
    const scenario = "x-assay: { agent: mutants/GET-002.empty }";
    expect(testIn({ outer })).toMatchObject({ agent: "echo", rows: "old" });
    expect(testIn({ outer, suite })).toMatchObject({ agent: "spec", rows: "old" });
    expect(testIn({ outer, suite, scenario })).toMatchObject({ agent: "mutants/GET-002.empty", rows: "old" });
  });

  test("is a path that begins without a slash", () => {
    expect(mistakesIn({ suite: "x-assay: { agent: /spec }" })).toEqual([
      '8 x-assay.agent: expected a path relative to --url (for example spec), found "/spec"',
    ]);
  });
});

test("headers to send, headers to expect and when to leave belong to a step", () => {
  const step = `x-assay: { headers: { Authorization: "Bearer {{token}}" } }
            expect_stream:
              min_count: 1
              x-assay: { leave_after: 2, headers: { content-type: { starts_with: text/ } } }`;
  const [read] = testIn({ step }).steps as OperationStep[];
  expect(read).toMatchObject({
    sentHeaders: { Authorization: "Bearer {{token}}" },
    expectStream: {
      minCount: 1,
      leaveAfter: 2,
      headers: { is: "shape", members: [["content-type", { operators: [{ op: "starts_with", value: "text/" }] }]] },
    },
  });
});

test("an unknown member is an error with its place and the known members", () => {
  expect(mistakesIn({ scenario: "x-assay: { agnt: spec }" })).toEqual([
    '13 "agnt" is unknown in x-assay; expected agent, rows, since',
  ]);
  expect(mistakesIn({ step: "expect: { x-assay: { leave_after: 1 } }" })).toEqual([
    '18 "leave_after" is unknown in x-assay; expected headers',
  ]);
});
