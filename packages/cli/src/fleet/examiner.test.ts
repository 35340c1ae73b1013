import type { FleetJob } from "@assay/fleet";
import { expect, test, vi } from "vitest";
import { secretsOf } from "./examiner.ts";

const job = (login?: FleetJob["agent"]["login"]): FleetJob => ({
  sweep: "s",
  agent: { name: "a", url: "https://a.example", labels: [], depth: "free", mayMessage: false, ...(login && { login }) },
});

test("the process of an agent gets only the secrets of that agent", () => {
  vi.stubEnv("A_TOKEN", "secret-a");
  vi.stubEnv("B_TOKEN", "secret-b");
  vi.stubEnv("ASSAY_OAUTH_SECRET", "secret-o");
  expect(secretsOf(job({ bearer: "env:A_TOKEN" }))).toEqual({ A_TOKEN: "secret-a" });
  expect(secretsOf(job({ apiKey: "X-Key=env:B_TOKEN" }))).toEqual({ B_TOKEN: "secret-b" });
  expect(secretsOf(job({ basic: "user:env:B_TOKEN" }))).toEqual({ B_TOKEN: "secret-b" });
  expect(secretsOf(job({ bearer: "@token" }))).toEqual({});
  expect(secretsOf(job({ oauthClient: "client", tokenUrl: "https://login.example" }))).toEqual({
    ASSAY_OAUTH_SECRET: "secret-o",
  });
  vi.unstubAllEnvs();
});

test.each([
  ["an agent without credentials", job(), true],
  ["a login", job({ bearer: "@token" }), false],
  ["a password in the address", { ...job(), agent: { ...job().agent, url: "https://u:p@a.example" } }, false],
  ["a query, which may be a secret", { ...job(), agent: { ...job().agent, url: "https://a.example?key=1" } }, false],
  [
    "one in the address of the card",
    { ...job(), agent: { ...job().agent, card: "https://a.example/card?key=1" } },
    false,
  ],
])("processes are shared with other agents: %s", (_title, given, isShared) => {
  expect(secretsOf(given) === undefined).toBe(isShared);
});
