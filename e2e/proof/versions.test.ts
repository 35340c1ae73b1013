import type { Testbed } from "@assay/agents";
import type { JsonObject } from "@assay/protocol";
import { catalogues } from "@assay/suite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { plain } from "../fixtures/testbed.fixture.ts";
import { answer, startFront } from "./front.fixture.ts";
import { line, type Proving, prove, startFixtures } from "./proving.fixture.ts";

/** In which versions an agent is tested, how that is known, and what an older version costs an agent that never claimed it. */

let bed: Testbed;
beforeAll(async () => {
  bed = await startFixtures();
});
afterAll(() => bed.close(0));

/** Little is asked: which versions there are is known before. */
const briefly = { only: ["CARD-016", "SEND-001"] } satisfies Partial<Proving>;

const spokenBy = async (path: string, base: string, proving: Partial<Proving> = {}) => {
  const { report } = await prove(bed, path, { base, ...briefly, ...proving });
  expect(report.ending).toBe("done");
  return report;
};

describe("without --dialect every version is tested that the card declares or the endpoint answers to", () => {
  test.each([
    ["full", "full", { "1.0": 'supportedInterfaces[0] says protocolVersion "1.0"' }],
    [
      "spec",
      "spec",
      {
        "1.0": 'supportedInterfaces[0] says protocolVersion "1.0"',
        "0.3": 'supportedInterfaces[3] says protocolVersion "0.3"',
      },
    ],
    ["spec03", "spec03", { "0.3": 'protocolVersion "0.3.0" at the top of its card' }],
    ["spec02", "spec02", { "0.2": 'protocolVersion "0.2.6" at the top of its card' }],
    ["spec01", "spec01", { "0.1": "the endpoint knows tasks/send" }],
    ["secure@0.1", "secure", { "0.1": "authentication, which later versions removed; the endpoint knows tasks/send" }],
    [
      "variants/silent-about-0.3",
      "spec",
      {
        "1.0": 'supportedInterfaces[0] says protocolVersion "1.0"',
        "0.3": "the endpoint knows message/send and agent/getAuthenticatedExtendedCard",
      },
    ],
  ])("/%s", async (path, base, versions) => {
    const { dialects } = await spokenBy(path, base);
    expect(Object.fromEntries(dialects.map(({ dialect, because }) => [dialect, because]))).toEqual(versions);
  });

  test("an agent that speaks nothing but an older version gets its level by the rules of that version", async () => {
    const report = await spokenBy("spec01", "spec01", { only: ["lifecycle", "CARD-016"] });
    expect(report.ruleSet).toBe("0.1.0-r1");
    expect(report.dialects[0]).toMatchObject({ dialect: "0.1", declared: true });
    expect(report.summary.failed).toBe(0);
    expect(report.summary.passed).toBeGreaterThan(0);
  });
});

describe("--dialect", () => {
  test.each([
    ["spec", "spec", "0.3", ["0.3"]],
    ["spec", "spec", "1.0", ["1.0"]],
    ["spec02", "spec02", "0.2", ["0.2"]],
  ] as const)("on /%s (%s) %s tests nothing else", async (path, base, dialect, tested) => {
    const report = await spokenBy(path, base, { dialect });
    expect(report.dialects.map((spoken) => spoken.dialect)).toEqual(tested);
    expect(new Set(report.interfaces.map((on) => on.dialect))).toEqual(new Set(tested));
  });

  test("tests a version that the agent does not speak as if it did, because it was asked for", async () => {
    const { report, results } = await prove(bed, "spec03", { base: "spec03", only: ["SEND-001"], dialect: "0.1" });
    expect(report.dialects).toEqual([
      expect.objectContaining({ dialect: "0.1", because: "set by --dialect", declared: true }),
    ]);
    expect(results.map(({ test: id, dialect, verdict }) => [id, dialect, verdict])).toEqual([
      ["SEND-001", "0.1", "fail"],
    ]);
  });
});

describe("a version that the agent answers to without claiming it", () => {
  /** Its card is silent about 0.3, and it answers clients of 0.3 with something that nobody understands. */
  const silently = async (proving: Partial<Proving>) => {
    const front = await startFront(`${bed.url}/spec`, (knock, response) => {
      if (knock.method === "GET" && knock.path.endsWith("/agent-card.json")) {
        void plain(`${bed.url}/spec/.well-known/agent-card.json`, { headers: { host: knock.headers.host ?? "" } }).then(
          ({ text }) => {
            const card = JSON.parse(text.replaceAll(bed.url, `http://${knock.headers.host}`)) as JsonObject;
            const newer = (card["supportedInterfaces"] as JsonObject[]).filter(
              (on) => on["protocolVersion"] === "1.0" && on["protocolBinding"] === "JSONRPC",
            );
            answer(response, 200, { ...card, supportedInterfaces: newer });
          },
        );
        return true;
      }
      // Whatever is sent the way of 0.3 is taken, and answered with nothing of use.
      if (!/"message\/send"/.test(knock.body) || /"params":\{\}/.test(knock.body)) return undefined;
      return answer(response, 200, { jsonrpc: "2.0", id: JSON.parse(knock.body).id, result: { nonsense: true } });
    });
    try {
      return await prove(bed, "spec", { base: "spec", ...proving, more: { url: front.url, ...proving.more } });
    } finally {
      await front.close();
    }
  };

  test("is a remark and fails no agent", async () => {
    const { report, results } = await silently({ only: ["SEND-001"] });
    expect(report.dialects.map(({ dialect, declared }) => [dialect, declared ?? false])).toEqual([
      ["1.0", true],
      ["0.3", false],
    ]);
    expect(results.filter(({ verdict }) => verdict === "fail" || verdict === "blocked").map(line)).toEqual([]);
    const [older] = results.filter(({ dialect }) => dialect === "0.3");
    expect(older?.warning ?? older?.info).toMatch(/neither a task nor a message/);
  });

  test("fails as soon as somebody asks for it", async () => {
    const { results } = await silently({ only: ["SEND-001"], dialect: "0.3" });
    expect(results.map(({ dialect, verdict }) => [dialect, verdict])).toEqual([["0.3", "fail"]]);
  });
});

test("every version has its own rules, and no result is judged by those of another", async () => {
  const { results } = await prove(bed, "spec", { base: "spec", only: ["versioning", "CARD-016"] });
  const astray = results.filter(
    ({ test: id, dialect }) => !catalogues[dialect as keyof typeof catalogues].some((rule) => rule.id === id),
  );
  expect(astray.map(line)).toEqual([]);
  expect(new Set(results.map(({ dialect }) => dialect))).toEqual(new Set(["1.0", "0.3"]));
});

describe("an agent that reads the wrong member of parts gets exactly that finding", () => {
  test.each([
    [
      "SEND-001.wants-type",
      "spec03",
      "type-for-kind",
      "the agent rejects parts with kind and accepts the same parts with type",
    ],
    [
      "SEND-001.wants-kind",
      "spec01",
      "kind-for-type",
      "the agent rejects parts with type and accepts the same parts with kind",
    ],
  ])("/mutants/%s", async (id, base, code, message) => {
    const { results } = await prove(bed, `mutants/${id}`, { base, only: ["SEND-001"], binding: "JSONRPC" });
    expect(results.map((result) => [result.verdict, result.code, result.message])).toEqual([["fail", code, message]]);
  });
});
