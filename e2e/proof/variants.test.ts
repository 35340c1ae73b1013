import type { Testbed } from "@assay/agents";
import type { Binding } from "@assay/protocol";
import { afterAll, describe, expect, test } from "vitest";
import { provesAll, sampleOf } from "../fixtures/proves-all.fixture.ts";
import { variantRows } from "../surroundings/rows.fixture.ts";
import { line, prove, startFixtures } from "./proving.fixture.ts";

/** Every 45th, on one binding each; with `npm run prove` all of them on all, and those of /spec and /secure in 0.3 as well. */

const bed: Testbed = await startFixtures();
const families = await bed.families();
// What shows their surroundings is tested in e2e/surroundings, where it is said which of them are seen through.
const variants = families.variants.filter(({ id }) => !variantRows.some((row) => row.id === id));
type Variant = (typeof variants)[number];
afterAll(() => bed.close(0));

/** What is odd about them is how they speak several versions, or an older one. */
const isOlder = ({ id, base }: Variant): boolean =>
  /^spec0\d$/.test(base) || ["legacy-card", "card-by-version", "card-for-everybody", "silent-about-0.3"].includes(id);

/** Without tasks/get: 0.3 asks for it of every agent (§11.1.2 there), 1.0 can be read otherwise (AMB-49). */
const legalIn10: readonly string[] = ["messages-alone", "messages-without-paths"];

/** Over gRPC the test bed tells its agents apart by their tenant, and another one takes what is sent without. */
const refuseMessages: readonly string[] = ["wants-other-messages", "takes-orders-only"];

/** One binding in turn, of those on which what is odd can show. */
function bindingsFor(variant: Variant, index: number): readonly Binding[] | undefined {
  if (refuseMessages.includes(variant.id)) return ["JSONRPC", "HTTP+JSON"];
  if (provesAll || /^spec0[12]$/.test(variant.base)) return undefined;
  const layers = Object.keys(variant.differs(1).layers ?? {});
  // Which bindings an older card declares is part of what is odd about it.
  if (isOlder(variant) && layers.includes("card")) return undefined;
  if (layers.includes("grpc")) return ["GRPC"];
  const isOfHttp = isOlder(variant) || layers.includes("http");
  const all: readonly Binding[] = isOfHttp ? ["JSONRPC", "HTTP+JSON"] : ["JSONRPC", "HTTP+JSON", "GRPC"];
  return [all[index % all.length]!];
}

/** A breach of a draft is a warning at most, so for these a warning is an accusation. */
const isOfDraft = ({ test }: { readonly test: string }): boolean => test.startsWith("GEN-");

const ofDraft = variants.filter(({ base }) => base === "spec11");

const trials = sampleOf(variants, 45).map((variant, index) => ({ ...variant, bindings: bindingsFor(variant, index) }));

// They run beside each other, so each takes as long as all of them on a busy machine.
describe.concurrent("what is odd but within the rules is accused of nothing", { timeout: 900_000 }, () => {
  test.each(trials)("$id over $bindings", async ({ bindings, ...variant }) => {
    const { id, base } = variant;
    const inAll = (provesAll && !legalIn10.includes(id)) || isOlder(variant);
    const { results, report } = await prove(bed, `variants/${id}`, {
      base,
      ...(!inAll && { dialect: "1.0" }),
      ...(bindings && { more: { bindings } }),
    });
    expect(report.ending).toBe("done");
    const wrong = results.filter(
      (result) =>
        ["fail", "blocked", "error"].includes(result.verdict) || (isOfDraft(result) && result.warning !== undefined),
    );
    expect(wrong.map(line)).toEqual([]);
    expect(results.some(({ verdict }) => verdict === "pass")).toBe(true);
  });

  test("fails-every-task gets no warning about clients that disconnect", async () => {
    const { results } = await prove(bed, "variants/fails-every-task", {
      base: "spec",
      binding: "JSONRPC",
      dialect: "1.0",
      only: ["STREAM-013", "STREAM-001", "SEND-001"],
    });
    const [judged] = results.filter((result) => result.test === "STREAM-013");
    expect(judged).toMatchObject({ verdict: "pass" });
    expect(judged?.warning).toBeUndefined();
  });

  test("rest-reads-schema is told which form of messages it lacks", async () => {
    const { results } = await prove(bed, "variants/rest-reads-schema", {
      base: "spec03",
      binding: "HTTP+JSON",
      dialect: "0.3",
      only: ["SEND-001", "CTX-008"],
    });
    expect(results.map(({ test: id, verdict, unexamined }) => [id, verdict, unexamined])).toEqual([
      ["SEND-001", "not-examined", "prerequisite"],
      ["CTX-008", "not-examined", "not-triggered"],
    ]);
    expect(results[0]?.message).toContain("a2a.proto");
  });

  test.each([
    ["spec11", "spec11"],
    ["variants/only-1.1", "spec11"],
    ["variants/newer-elsewhere", "spec"],
  ])("/%s declares 1.1, by rules of 1.0", async (path, base) => {
    const { results, report } = await prove(bed, path, {
      base,
      more: { bindings: ["JSONRPC", "HTTP+JSON"] },
      only: ["CARD-*", "VER-*", "GET-*", "SEND-*", "LIST-*", "ERR-*", "GEN-*"],
    });
    expect(report.ending).toBe("done");
    const wrong = results.filter(
      ({ test: id, verdict, warning, info }) =>
        ["fail", "blocked"].includes(verdict) || warning || (info && ["CARD-042", "VER-019"].includes(id)),
    );
    expect(wrong.map(line)).toEqual([]);
    expect(results.filter(({ verdict }) => verdict === "pass").length).toBeGreaterThan(50);
  });

  test.each(ofDraft)("$id, by the rules of the draft", async ({ id, base }) => {
    const { results, report } = await prove(bed, `variants/${id}`, {
      base,
      binding: "HTTP+JSON",
      only: ["GEN-*"],
      // A task that works long enough for several reads.
      more: { prompts: { slow: "slow 50" } },
    });
    expect(report.ending).toBe("done");
    const wrong = results.filter(({ verdict, warning }) => verdict === "fail" || warning !== undefined);
    expect(wrong.map(line)).toEqual([]);
    expect(results.some(({ verdict }) => verdict === "pass")).toBe(true);
  });
});
