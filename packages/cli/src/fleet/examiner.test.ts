import type { FleetJob } from "@assay/fleet";
import { expect, test, vi } from "vitest";
import { environmentFor } from "./examiner.ts";

const job = (login?: FleetJob["agent"]["login"]): FleetJob => ({
  sweep: "s",
  agent: { name: "a", url: "https://a.example", labels: [], depth: "free", mayMessage: false, ...(login && { login }) },
});

test("the process of an agent gets only the secrets of that agent", () => {
  vi.stubEnv("A_TOKEN", "secret-a");
  vi.stubEnv("B_TOKEN", "secret-b");
  vi.stubEnv("ASSAY_OAUTH_SECRET", "secret-o");
  vi.stubEnv("HTTPS_PROXY", "http://proxy.example");
  const secrets = (login?: FleetJob["agent"]["login"]) =>
    Object.keys(environmentFor(job(login))).filter((name) => /TOKEN|SECRET/.test(name));
  expect(environmentFor(job())).toMatchObject({ HTTPS_PROXY: "http://proxy.example" });
  expect(secrets()).toEqual([]);
  expect(secrets({ bearer: "env:A_TOKEN" })).toEqual(["A_TOKEN"]);
  expect(secrets({ apiKey: "X-Key=env:B_TOKEN" })).toEqual(["B_TOKEN"]);
  expect(secrets({ basic: "user:env:B_TOKEN" })).toEqual(["B_TOKEN"]);
  expect(secrets({ oauthClient: "client", tokenUrl: "https://login.example" })).toEqual(["ASSAY_OAUTH_SECRET"]);
  vi.unstubAllEnvs();
});
