import { ruleIn } from "@assay/suite";
import { expect, test } from "vitest";
import { behaviourRules } from "./behaviour.ts";

test("every requirement names a rule of 1.0 for agents", () => {
  expect(behaviourRules.filter((id) => ruleIn("1.0", id)?.actor !== "server")).toEqual([]);
});
