import type { JsonObject } from "@assay/protocol";
import { expect, test } from "vitest";
import { loginOf } from "../observations/login.ts";
import { factsOf } from "./agent-facts.ts";
import { beyondCaps } from "./card-caps.ts";

const named = (count: number): string[] => Array.from({ length: count }, (_, index) => `key-${index}`);
const factsWith = (count: number) => {
  const card: JsonObject = {
    name: "Many",
    securitySchemes: Object.fromEntries(
      named(count).map((name) => [name, { apiKeySecurityScheme: { location: "header", name } }]),
    ),
    securityRequirements: named(count).map((name) => ({ schemes: { [name]: { list: [] } } })),
    capabilities: { extensions: named(count).map((uri) => ({ uri, required: true })) },
  };
  return factsOf(card, "http://agent.test/", []);
};

test("a card that lists a thousand of everything costs no more than one with a few, and it is said", () => {
  expect(loginOf(factsWith(1_000))).toHaveLength(20);
  expect(beyondCaps(factsWith(1_000))).toEqual([
    "The card lists 1000 login schemes. Assay tries made-up credentials with the first 20.",
    "The card requires 1000 extensions. Requests declare the first 50.",
  ]);
  expect(beyondCaps(factsWith(3))).toEqual([]);
});

test("a key in a header that cannot be written is not tried", () => {
  const card: JsonObject = {
    securitySchemes: { odd: { apiKeySecurityScheme: { location: "header", name: "X Key\n" } } },
    securityRequirements: [{ schemes: { odd: { list: [] } } }],
  };
  expect(loginOf(factsOf(card, "http://agent.test/", []))).toEqual([{ scheme: "odd" }]);
});
