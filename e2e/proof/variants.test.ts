import type { Testbed } from "@assay/agents";
import type { Binding } from "@assay/protocol";
import { afterAll, describe, expect, test } from "vitest";
import { provesAll, sampleOf } from "../fixtures/proves-all.fixture.ts";
import { variantRows } from "../surroundings/rows.fixture.ts";
import { line, prove, startFixtures } from "./fixtures.ts";

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
const refusesMessages = "wants-other-messages";

/** One binding in turn, of those on which what is odd can show. */
function bindingsFor(variant: Variant, index: number): readonly Binding[] | undefined {
  if (variant.id === refusesMessages) return ["JSONRPC", "HTTP+JSON"];
  if (provesAll || /^spec0[12]$/.test(variant.base)) return undefined;
  const layers = Object.keys(variant.differs(1).layers ?? {});
  // Which bindings an older card declares is part of what is odd about it.
  if (isOlder(variant) && layers.includes("card")) return undefined;
  if (layers.includes("grpc")) return ["GRPC"];
  const isOfHttp = isOlder(variant) || layers.includes("http");
  const all: readonly Binding[] = isOfHttp ? ["JSONRPC", "HTTP+JSON"] : ["JSONRPC", "HTTP+JSON", "GRPC"];
  return [all[index % all.length]!];
}

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
    const wrong = results.filter(({ verdict }) => verdict === "fail" || verdict === "blocked" || verdict === "error");
    expect(wrong.map(line)).toEqual([]);
    expect(results.some(({ verdict }) => verdict === "pass")).toBe(true);
  });
});
