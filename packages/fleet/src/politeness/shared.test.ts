import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished, test } from "vitest";
import { politenessCases } from "./politeness.fixture.ts";
import { openPoliteness } from "./shared.ts";

test.each(politenessCases.map(({ title, run }) => [title, run] as const))(
  "rate limits in SQLite: %s",
  async (_title, run) => {
    const folder = mkdtempSync(join(tmpdir(), "assay-politeness-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    await run(async (limits, now) => {
      const politeness = await openPoliteness(`sqlite:${join(folder, "history.db")}`, limits, { now });
      onTestFinished(() => politeness.close());
      return politeness;
    });
  },
);
