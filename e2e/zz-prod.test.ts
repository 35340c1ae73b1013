import { test } from "vitest";
import { prove, startFixtures } from "./proof/fixtures.ts";
import { startTestbed } from "@assay/agents";
test("t", { timeout: 100000 }, async () => {
  for (const timeScale of [0.05, 1]) {
    const bed = await startTestbed({ host: "127.0.0.1", port: 0, version: "test", timeScale });
    for (const path of ["spec", "full", "secure"]) {
      const at = performance.now();
      const { report, events } = await prove(bed, path, { base: path, more: timeScale === 1 ? { prompts: {}, grace: 30000 } : {prompts: {}, grace: 30000} });
      console.log(timeScale, path, Math.round(performance.now() - at), report.summary.workingMessages, events.find((e) => e.event === "planned"));
    }
    await bed.close(0);
  }
});
