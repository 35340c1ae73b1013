import { expect, test } from "vitest";
import { loginCases } from "./logins.fixture.ts";
import { mostLogins } from "./logins.ts";
import { MemoryLogins } from "./memory-logins.ts";

test.each(loginCases.map(({ title, run }) => [title, run] as const))("%s", (_title, run) => run(new MemoryLogins()));

test("keeps at most 10,000 logins and drops the oldest", async () => {
  const logins = new MemoryLogins();
  for (let n = 0; n <= mostLogins; n++) await logins.set({ kind: "Interaction", id: `${n}`, payload: {} });
  expect(await logins.get("Interaction", "0")).toBeUndefined();
  expect(await logins.get("Interaction", `${mostLogins}`)).toEqual({});
});
