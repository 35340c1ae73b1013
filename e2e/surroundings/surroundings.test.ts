import type { Testbed } from "@assay/agents";
import { startSurroundings, surroundings } from "@assay/agents/surroundings";
import { exitCodeOf, slowedDownText, troublesOf } from "@assay/suite/report";
import { createEgressGuard } from "@assay/wire";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sampleOf } from "../fixtures/proves-all.fixture.ts";
import { type Proof, prove, startFixtures } from "../proof/proving.fixture.ts";
import { type Outcome, type Row, surroundingRows, variantRows } from "./rows.fixture.ts";

// Assay never blames a good agent for bad surroundings, and reports what it could examine. `npm test` tries a few
// surroundings, `npm run prove` all.

let bed: Testbed;
let successor: Testbed;
beforeAll(async () => {
  [bed, successor] = await Promise.all([startFixtures(), startFixtures()]);
});
afterAll(() => Promise.all([bed.close(0), successor.close(0)]));

const runAt = (url: string, { base = "spec", run, idleMs = 60_000 }: Row): Promise<Proof> =>
  prove(bed, "", {
    base,
    dialect: "1.0",
    more: {
      url,
      depth: "quick",
      bindings: ["JSONRPC"],
      // One call after the other, so that the same request always meets the same fault.
      concurrency: 1,
      taskTimeout: 5_000,
      grace: 500,
      warmUp: 2_000,
      connection: {
        guard: createEgressGuard({ trustedHosts: ["127.0.0.1"] }),
        timeouts: { connect: 2_000, idle: idleMs },
      },
      ...run,
    },
  });

const outcomes: Readonly<Record<number, Outcome>> = { 0: "conformant", 1: "not conformant", 2: "inconclusive" };

function expectFair({ comes, says }: Row, { report, results }: Proof): void {
  const blamed = results.filter(({ verdict }) => verdict === "fail").map((result) => result.test);
  expect({ accused: [...new Set(blamed)].toSorted(), comes: outcomes[exitCodeOf(report)] }).toEqual({
    accused: [],
    comes,
  });
  const { slowedDown } = report;
  const said = [...troublesOf(report), ...(slowedDown ? [slowedDownText(slowedDown)] : [])];
  if (says) expect(said).toContainEqual(expect.stringMatching(says));
}

async function testBehind(row: Row): Promise<void> {
  const { id, base = "spec", timeScale = 0.1 } = row;
  const [behind, next] = [bed, successor].map(({ url }) => `${url}/${base}`);
  const proxy = await startSurroundings({ behind: behind!, successor: next!, variant: id, timeScale });
  try {
    const proof = await runAt(proxy.url, row);
    expect(proxy.troubled).toBeGreaterThan(0);
    expectFair(row, proof);
  } finally {
    await proxy.close();
  }
}

describe("faults on the way to the agent", () => {
  test.each(
    sampleOf(
      surroundingRows.filter(({ waits }) => !waits),
      10,
    ),
  )("$id", testBehind);
});

describe.concurrent("slow faults on the way to the agent", () => {
  test.each(
    sampleOf(
      surroundingRows.filter(({ waits }) => waits),
      4,
    ),
  )("$id", testBehind);
});

describe("faults in the responses of the agent", () => {
  test.each(sampleOf(variantRows.toReversed(), 7))("$id", async (row) => {
    expectFair(row, await runAt(`${bed.url}/variants/${row.id}`, row));
  });
});

test("every surrounding has a row", () => {
  expect(surroundingRows.map(({ id }) => id)).toEqual(surroundings.map(({ id }) => id));
});
