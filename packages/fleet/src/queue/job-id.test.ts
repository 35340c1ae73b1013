import { expect, test } from "vitest";
import { jobId } from "./fleet-queue.ts";

test("a job is the same for the same agent in the same sweep", () => {
  const id = jobId({ sweep: "s", agent: "a" });
  expect(jobId({ sweep: "s", agent: "a" })).toBe(id);
  const others = [
    { sweep: "t", agent: "a" },
    { sweep: "s", agent: "b" },
    { sweep: "sa", agent: "" },
  ].map(jobId);
  expect(new Set([id, ...others]).size).toBe(4);
  // The engine takes no colons, no numbers, and PostgreSQL no long keys.
  expect(jobId({ sweep: "s", agent: `1:${"x".repeat(10_000)}` })).toMatch(/^j[\w-]{22}$/);
});
