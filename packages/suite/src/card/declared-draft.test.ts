import { expect, test } from "vitest";
import { ruleSetOf } from "./declared-draft.ts";

const declaring = (...versions: unknown[]) => ({
  dialect: "1.0" as const,
  facts: { card: { supportedInterfaces: versions.map((protocolVersion) => ({ protocolVersion })) as never } },
});

test("a card that declares 1.1 is judged by the draft, unless the user chose a set", () => {
  expect(ruleSetOf(declaring("1.1", "1.0"), undefined)).toBe("1.1-draft1");
  expect(ruleSetOf(declaring("1.1"), "1.0.1-r1")).toBe("1.0.1-r1");
  expect(ruleSetOf(declaring("1.0"), "1.1-draft1")).toBe("1.1-draft1");
});

test.each([["1.0"], ["1.10"], [undefined], [{}]])("a card that declares %j is not", (version) => {
  expect(ruleSetOf(declaring(version), undefined)).toBe("1.0.1-r1");
  expect(ruleSetOf({ ...declaring("1.1"), dialect: "0.3" }, undefined)).toBe("0.3.0-r1");
});
