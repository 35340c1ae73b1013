import { describe, expect, test } from "vitest";
import { ask, askWithHeaders, bindings, refusal, refusedAs, useTestbed } from "../../fixtures/testbed.fixture.ts";

const bed = useTestbed();
const spec = () => `${bed.url}/spec`;

describe.each(bindings)("over %s", (binding) => {
  describe("the extended card", () => {
    const token = { Authorization: "Bearer agentbin-test-token" };

    test.each(["spec", "full"])("of /%s shows a further skill to who has the token", async (agent) => {
      const { value, headers } = await askWithHeaders(
        `${bed.url}/${agent}`,
        binding,
        "GetExtendedAgentCard",
        {},
        { ...token },
      );
      expect(value.skills.at(-1)?.id).toBe("admin-status");
      if (agent === "spec") expect(value.skills.length).toBe(9);
      expect(headers["cache-control"]).toBe("private, no-store");
    });

    test.each<[string, Record<string, string>]>([
      ["without a token", {}],
      ["with a wrong token", { Authorization: "Bearer wrong" }],
      ["with an empty token", { Authorization: "Bearer" }],
      ["with another scheme", { Authorization: "Basic agentbin-test-token" }],
    ])("%s is refused with a challenge", async (_name, headers) => {
      expect(await refusal(spec(), binding, "GetExtendedAgentCard", {}, headers)).toEqual(
        refusedAs(binding, "Unauthenticated"),
      );
    });

    test("the scheme's name may be written in any case", async () => {
      const { name } = await ask(
        spec(),
        binding,
        "GetExtendedAgentCard",
        {},
        { Authorization: "bEARER agentbin-test-token" },
      );
      expect(name).toBe("Spec Agent");
    });
  });
});
