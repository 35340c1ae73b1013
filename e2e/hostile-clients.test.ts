import { describe, expect, test } from "vitest";
import { expectNormalService, plain, useTestbed } from "./testbed.case.ts";

// What a client can make the test bed hold: attacks on its memory, in small.

const gauge = async (bed: { readonly url: string }, name: string) =>
  Number(new RegExp(`^${name} (\\d+)$`, "m").exec((await plain(`${bed.url}/metrics`)).text)?.[1]);

describe("names of agents", () => {
  const bed = useTestbed();
  const before = () => gauge(bed, "assay_agents");

  test("an agent has one name: whatever is added to it builds no other", async () => {
    for (const name of ["full@0.3", "mutants/GET-002.empty@spec03"]) {
      expect((await plain(`${bed.url}/${name}/.well-known/agent-card.json`)).status).toBe(200);
    }
    const built = await before();
    const names = [
      "full@0.3@",
      "full@0.3@1",
      "spec@1.0@2",
      "mutants/GET-002.empty@spec03@3",
      "full@full@0.3",
      "@0.3",
      "full@",
    ];
    for (const name of names) {
      const { status } = await plain(`${bed.url}/${name}/.well-known/agent-card.json`);
      expect([name, status]).toEqual([name, 404]);
    }
    expect(await before()).toBe(built);
    await expectNormalService(bed);
  });
});
