import { expect, test } from "vitest";
import { line, prove, startFixtures } from "./proof/fixtures.ts";
test.each(["GRPC", "GRPC", "HTTP+JSON"] as const)("%s alone", { timeout: 60_000 }, async (binding) => {
  const bed = await startFixtures();
  for (const path of ["secure", "full"]) {
    const { results } = await prove(bed, path, { base: path, binding, only: ["PUSH-*", "AUTH-*", "SEC-*", "TEN-*"] });
    expect(results.filter((r) => ["fail", "error", "blocked"].includes(r.verdict) || r.warning || r.unexamined === "unstable").map(line)).toEqual([]);
  }
  await bed.close(0);
});
