import { expect, test } from "vitest";
import type { ListedAgent } from "../listing/listed-agent.ts";
import { jobId } from "./job-id.ts";

const agent = (name: string): ListedAgent => ({
  name,
  url: "http://a.example",
  labels: [],
  depth: "card",
  mayMessage: false,
});

test("a job is the same for the same agent in the same sweep, whatever else is said of it", () => {
  const id = jobId({ sweep: "s", agent: agent("a") });
  expect(jobId({ sweep: "s", agent: { ...agent("a"), labels: ["gold"] }, before: { cardDigest: "0", at: 1 } })).toBe(
    id,
  );
  const others = [
    { sweep: "t", agent: agent("a") },
    { sweep: "s", agent: agent("b") },
    { sweep: "sa", agent: agent("") },
  ].map(jobId);
  expect(new Set([id, ...others]).size).toBe(4);
  // The engine takes no colons, no numbers, and PostgreSQL no long keys.
  expect(jobId({ sweep: "s", agent: agent(`1:${"x".repeat(10_000)}`) })).toMatch(/^j[\w-]{22}$/);
});
