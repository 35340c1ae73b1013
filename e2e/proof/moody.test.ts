import { startTestbed } from "@assay/agents";
import { describe, expect, test } from "vitest";
import { provesAll } from "../fixtures/proves-all.fixture.ts";
import { line, type Proof, prove } from "./proving.fixture.ts";

/** The agent that thinks with a model: slow, never twice the same, one message at a time. `npm run prove` tries ten seeds on every binding. */
const seeds = provesAll ? [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] : [1];

async function runWith(seed: number): Promise<Proof> {
  const bed = await startTestbed({ host: "127.0.0.1", port: 0, version: "test", timeScale: 0.02, seed });
  try {
    return await prove(bed, "variants/moody", { base: "minimal", ...(!provesAll && { binding: "JSONRPC" }) });
  } finally {
    await bed.close(0);
  }
}

describe("moody", () => {
  test("is accused of nothing, gets no more than was announced, and is judged alike every time", async () => {
    const verdicts = new Map<string, Set<string>>();
    for (const seed of seeds) {
      const { results, report, events } = await runWith(seed);
      expect(report.ending).toBe("done");
      const wrong = results.filter(({ verdict }) => verdict === "fail" || verdict === "blocked" || verdict === "error");
      expect(wrong.map((result) => `seed ${seed}: ${line(result)}`)).toEqual([]);
      const announced = events.find((event) => event.event === "planned")?.workingMessages ?? 0;
      expect(report.summary.workingMessages).toBeLessThanOrEqual(announced);
      for (const { test: id, interface: on, verdict } of results) {
        const key = `${id} ${on?.binding}`;
        verdicts.set(key, (verdicts.get(key) ?? new Set()).add(verdict));
      }
    }
    const changing = [...verdicts].filter(([, seen]) => seen.has("pass") && seen.has("fail"));
    expect(changing).toEqual([]);
  });
});
