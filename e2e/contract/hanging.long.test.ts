import { expect, test } from "vitest";
import { measure } from "./measure.fixture.ts";

test("a command that hangs fails only the requirement that asked for it", async () => {
  const only = ["A2ACLI_CLI_002", "A2ACLI_INTERACT_003"];
  const { outcomes } = await measure(["hangs:completion"], { only, timeoutMs: 8_000 });
  expect(only.map((id) => outcomes.get(id)!.status)).toEqual(["fail", "pass"]);
});
