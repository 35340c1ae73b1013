import { Ajv } from "ajv";
import fc from "fast-check";
import { expect, test } from "vitest";
import { nastyStrings, runThatSays } from "./hostile.fixture.ts";
import { brokenProperty, manyResults, nobodyThere, oneFailure, sampleRun, sampleWith } from "./sample.fixture.ts";
import { sarif } from "./sarif.ts";

/** What SARIF 2.1.0 asks of the members that we write; a member that is not here is one that we do not write. */
const closed = (properties: Record<string, object>, required: readonly string[]) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});
const string = { type: "string" };
const text = closed({ text: { type: "string", minLength: 1 } }, ["text"]);
const level = { enum: ["none", "note", "warning", "error"] };
const date = { type: "string", pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$" };
const isSarif = new Ajv({ allErrors: true }).compile(
  closed(
    {
      $schema: { type: "string", pattern: "^https://" },
      version: { const: "2.1.0" },
      runs: {
        type: "array",
        minItems: 1,
        items: closed(
          {
            tool: closed(
              {
                driver: closed(
                  {
                    name: string,
                    semanticVersion: { type: "string", pattern: "^\\d+\\.\\d+\\.\\d+" },
                    informationUri: { type: "string", pattern: "^https://" },
                    properties: closed({ ruleSet: string }, ["ruleSet"]),
                    rules: {
                      type: "array",
                      uniqueItems: true,
                      items: closed(
                        {
                          id: string,
                          shortDescription: text,
                          help: text,
                          helpUri: { type: "string", pattern: "^https://" },
                          defaultConfiguration: closed({ level }, ["level"]),
                          properties: closed({ tags: { type: "array", items: string, uniqueItems: true } }, ["tags"]),
                        },
                        ["id", "shortDescription"],
                      ),
                    },
                  },
                  ["name"],
                ),
              },
              ["driver"],
            ),
            automationDetails: closed({ id: string }, ["id"]),
            columnKind: { enum: ["utf16CodeUnits", "unicodeCodePoints"] },
            invocations: {
              type: "array",
              items: closed(
                {
                  executionSuccessful: { type: "boolean" },
                  startTimeUtc: date,
                  endTimeUtc: date,
                  toolExecutionNotifications: { type: "array", items: closed({ level, message: text }, ["message"]) },
                },
                ["executionSuccessful"],
              ),
            },
            results: {
              type: "array",
              items: closed(
                {
                  ruleId: string,
                  ruleIndex: { type: "integer", minimum: 0 },
                  level,
                  message: text,
                  locations: {
                    type: "array",
                    minItems: 1,
                    items: closed(
                      {
                        physicalLocation: closed(
                          {
                            artifactLocation: closed({ uri: { const: "assay.yaml" } }, ["uri"]),
                            region: closed({ startLine: { type: "integer", minimum: 1 } }, ["startLine"]),
                          },
                          ["artifactLocation"],
                        ),
                        logicalLocations: {
                          type: "array",
                          uniqueItems: true,
                          items: closed({ name: string, fullyQualifiedName: string, kind: string }, ["name"]),
                        },
                      },
                      ["physicalLocation"],
                    ),
                  },
                  partialFingerprints: { type: "object", additionalProperties: string, minProperties: 1 },
                  suppressions: {
                    type: "array",
                    uniqueItems: true,
                    items: closed(
                      {
                        kind: { enum: ["inSource", "external"] },
                        status: { enum: ["accepted", "underReview", "rejected"] },
                        justification: string,
                      },
                      ["kind"],
                    ),
                  },
                  properties: { type: "object", additionalProperties: string },
                },
                ["message", "locations", "partialFingerprints"],
              ),
            },
          },
          ["tool", "results"],
        ),
      },
    },
    ["version", "runs"],
  ),
);

const problemsOf = (written: string): string[] =>
  isSarif(JSON.parse(written)) ? [] : isSarif.errors!.map(({ instancePath, message }) => `${instancePath} ${message}`);
const runOf = (written: string) => JSON.parse(written).runs[0];

test.each(Object.entries({ sampleRun, nobodyThere, "many results": sampleWith(manyResults(500)) }))(
  "%s keeps the structure of SARIF 2.1.0, and its indices are those of its rules",
  (_, run) => {
    const written = sarif(run);
    expect(problemsOf(written)).toEqual([]);
    const { results, tool } = runOf(written);
    const { rules } = tool.driver;
    expect(results.length).toBeGreaterThan(0);
    for (const { ruleId, ruleIndex } of results) expect(rules[ruleIndex].id).toBe(ruleId);
    expect(new Set(rules.map(({ id }: { id: string }) => id)).size).toBe(rules.length);
  },
);

test("a finding on each interface is a result of its own, with a fingerprint of its own", () => {
  const prints = runOf(sarif(sampleRun)).results.map((each: { partialFingerprints: object }) =>
    Object.values(each.partialFingerprints).join(),
  );
  expect(prints).toContain("LIST-003/1.0/JSONRPC/broken");
  expect(prints).toContain("LIST-003/1.0/HTTP+JSON/broken");
  expect(new Set(prints).size).toBe(prints.length);
});

test("agents with different names have different categories", () => {
  const long = "an agent with a name that is longer than any category may be, of the department of ";
  const names = ["Weather Agent", "天気", "地図", "🙂", "!", "maps.test", "maps-test", `${long}maps`, `${long}mail`];
  const ids = names.map((agent) => runOf(sarif({ ...sampleRun, agent })).automationDetails.id as string);
  expect(ids[0]).toBe("assay/weather-agent/");
  expect(new Set(ids).size).toBe(names.length);
  for (const id of ids) expect(id).toMatch(/^assay\/[a-z0-9-]{1,60}\/$/);
});

test("agents with one name have different categories at different addresses, the same in every run", () => {
  const categoryOf = (agentUrl: string): string =>
    runOf(sarif({ ...sampleRun, report: { ...sampleRun.report, agentUrl } })).automationDetails.id;
  const ids = ["http://a.test", "http://b.test", "http://a.test:9001", "http://a.test/maps"].map(categoryOf);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^assay\/weather-agent-[a-z0-9-]{1,60}\/$/);
  // The system chooses these ports.
  expect(categoryOf("http://a.test:45611/maps/")).toBe(categoryOf("http://a.test:32768/maps"));
  expect(categoryOf("http://a.test/maps/.well-known/agent-card.json")).toBe(categoryOf("http://a.test/maps"));
});

test("a failure tells what was seen, wanted and sent, and how to see it again", () => {
  expect(runOf(sarif(sampleWith([oneFailure]))).results[0]).toMatchInlineSnapshot(`
    {
      "level": "error",
      "locations": [
        {
          "logicalLocations": [
            {
              "fullyQualifiedName": "http://127.0.0.1:9999/",
              "kind": "resource",
              "name": "JSON-RPC",
            },
          ],
          "physicalLocation": {
            "artifactLocation": {
              "uri": "assay.yaml",
            },
            "region": {
              "startLine": 1,
            },
          },
        },
      ],
      "message": {
        "text": "GetTask answers -32603 for an unknown task (JSON-RPC)
    want: error.code -32001 (TaskNotFound)
    fix: Catch the lookup error in your GetTask handler and answer with TaskNotFoundError.",
      },
      "partialFingerprints": {
        "assayFinding/v1": "ERR-020/1.0/JSONRPC/broken",
      },
      "properties": {
        "reproduce": "curl -s http://127.0.0.1:9999/ -H 'A2A-Version: 1.0' -H 'Content-Type: application/json' -d '{"jsonrpc":"2.0","id":3,"method":"GetTask","params":{"id":"3f0c2b9e-7a51-4f53-9d0e-6f5f0c2f9a11"}}'",
        "saw": "{"jsonrpc":"2.0","id":3,"error":{"code":-32603,"message":"KeyError: '3f0c2b9e-7a51-4f53-9d0e-6f5f0c2f9a11'"}}",
        "sent": "{"jsonrpc":"2.0","id":3,"method":"GetTask","params":{"id":"3f0c2b9e-7a51-4f53-9d0e-6f5f0c2f9a11"}}",
      },
      "ruleId": "ERR-020",
      "ruleIndex": 0,
    }
  `);
});

test("a property of a gateway without a section of the specification is explained without one", () => {
  const { rules } = runOf(sarif(sampleWith([{ ...brokenProperty, section: "" }]))).tool.driver;
  expect(rules[0].help.text).toBe(`For details, run: assay explain ${brokenProperty.test}`);
});

test("what a baseline expects is suppressed; what is contested is a warning", () => {
  const resultOf = (about: object) => runOf(sarif(sampleWith([{ ...oneFailure, ...about }]))).results[0];
  expect(resultOf({ expected: "fixed next month" })).toMatchObject({
    level: "note",
    suppressions: [{ kind: "external", status: "accepted", justification: "fixed next month" }],
  });
  expect(resultOf({ disputed: true }).level).toBe("warning");
  expect(resultOf({}).level).toBe("error");
});

test("a run that came to no answer is not taken for one in which all was mended", () => {
  const { results, invocations } = runOf(sarif(nobodyThere));
  expect(results).toMatchObject([{ ruleId: "assay-run", level: "error" }]);
  expect(invocations[0]).toMatchObject({ executionSuccessful: false });
});

test.each(Object.entries(nastyStrings))("%s from an agent leaves the structure as it is", (_, said) => {
  const written = sarif(runThatSays(said));
  expect(problemsOf(written)).toEqual([]);
  for (const { message } of runOf(written).results) expect(message.text).not.toMatch(/(?<!\\)\]\(/);
});

test("no text from an agent becomes a link", () => {
  const unit = fc.constantFrom(..."\\[]()a:/.{}0\n");
  fc.assert(
    fc.property(fc.string({ unit }), (said) => {
      const { results } = runOf(sarif(sampleWith([{ ...oneFailure, message: said }])));
      // Every bracket has an odd number of backslashes before it.
      expect(results[0].message.text.replaceAll(/\\[\\[\]]/g, "")).not.toMatch(/[[\]]/);
    }),
  );
});
