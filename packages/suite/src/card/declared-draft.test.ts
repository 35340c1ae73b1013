import { expect, test } from "vitest";
import { factsOf, speakableIn } from "./agent-facts.ts";
import { ruleSetOf } from "./declared-draft.ts";

const cardUrl = "http://127.0.0.1:1/.well-known/agent-card.json";

/** A card with these versions at these addresses. Assay tests the interfaces at the first address. */
function declaring(...versions: readonly (readonly [version: unknown, address?: string])[]) {
  const interfaces = versions.map(([protocolVersion, address = "a"]) => ({
    url: `http://127.0.0.1:1/${address}`,
    protocolBinding: "JSONRPC",
    protocolVersion,
  }));
  const { declared } = factsOf({ supportedInterfaces: interfaces as never }, cardUrl, []);
  const tested = speakableIn(declared, cardUrl).filter(({ url }) => url.endsWith("/a"));
  return { dialect: "1.0" as const, facts: { declared, tested, cardUrl } };
}

test("a card that declares 1.1 is judged by the draft, unless the user chose a set", () => {
  expect(ruleSetOf(declaring(["1.1"], ["1.0"]), undefined)).toBe("1.1-draft1");
  expect(ruleSetOf(declaring(["1.1.0"]), undefined)).toBe("1.1-draft1");
  expect(ruleSetOf(declaring(["1.1"]), "1.0.1-r1")).toBe("1.0.1-r1");
  expect(ruleSetOf(declaring(["1.0"]), "1.1-draft1")).toBe("1.1-draft1");
});

test("an interface of 1.0 is not judged by the draft that another address declares", () => {
  expect(ruleSetOf(declaring(["1.1", "b"], ["1.0", "a"]), undefined)).toBe("1.0.1-r1");
});

test.each([["1.0"], ["1.10"], [undefined], [{}]])("a card that declares %j is not", (version) => {
  expect(ruleSetOf(declaring([version]), undefined)).toBe("1.0.1-r1");
  expect(ruleSetOf({ ...declaring(["1.1"]), dialect: "0.3" }, undefined)).toBe("0.3.0-r1");
});
