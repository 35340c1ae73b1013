import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ListedAgent, LoginReference } from "@assay/fleet";
import { readAllowedSecret } from "@assay/library/connection";
import { afterAll, expect, test } from "vitest";
import { UsageError } from "../exit.ts";
import { listedLogins } from "./agent-logins.ts";
import { readWorkerSecrets } from "./worker-secrets.ts";

const root = mkdtempSync(join(tmpdir(), "assay-logins-"));
const folder = join(root, "lists");
mkdirSync(folder);
writeFileSync(join(folder, "token"), "inside");
writeFileSync(join(root, "token"), "outside");
symlinkSync(join(root, "token"), join(folder, "link"));
afterAll(() => rmSync(root, { recursive: true }));

const agent = (login: LoginReference, more: Partial<ListedAgent> = {}): ListedAgent => ({
  ...{ name: "a", url: "https://a.test/agent", labels: [], depth: "free", mayMessage: false, login, ...more },
});
const allowing = (...flags: string[]) => flags.map((flag) => readAllowedSecret(flag));

test("a list of the operator's own names any variable, and files of its folder", async () => {
  const logins = listedLogins({ allowed: [], folder });
  for (const login of [{ bearer: "env:A" }, { basic: "me:@token" }, { apiKey: "X-Key=@./token" }])
    expect(await logins(agent(login))).toEqual({ login });
});

test.each(["@../token", "@link", `@${join(root, "token")}`])(
  "a list needs --allow-secret to use the file %s outside its folder",
  async (reference) => {
    const login = { bearer: reference };
    const flag = `--allow-secret @${join(reference === "@link" ? folder : root, reference === "@link" ? "link" : "token")}@a.test:443`;
    expect(await listedLogins({ allowed: [], folder })(agent(login))).toEqual({
      refused: expect.stringContaining(flag),
    });
    const allowed = allowing(flag.replace("--allow-secret ", ""));
    expect(await listedLogins({ allowed, folder })(agent(login))).toEqual({ login });
  },
);

test("a worker without a list of its own uses no secret at all", async () => {
  const logins = listedLogins({ allowed: [] });
  expect(await logins(agent({ bearer: "env:A" }))).toEqual({
    refused: "Add --allow-secret env:A@a.test:443",
  });
  // The usual variable of an OAuth client is a secret, too, and what is made of it goes to the agent.
  expect(await logins(agent({ oauthClient: "me", tokenUrl: "https://login.test/token" }))).toEqual({
    refused:
      "Add --allow-secret env:ASSAY_OAUTH_SECRET@login.test:443 --allow-secret env:ASSAY_OAUTH_SECRET@a.test:443",
  });
});

test.each([
  [{ header: ["X-Key:env:A"] }, "login.header is unknown"],
  [{ cert: "/etc/passwd", key: "/etc/passwd" }, "login.cert is unknown"],
  [{ bearer: ["env:A"] }, "login.bearer: expected"],
  [{ bearer: "hunter2" }, "login.bearer: expected"],
])("a worker refuses a login in the ledger that no list can contain: %j", async (login, says) => {
  const allowed = allowing("env:A@a.test");
  expect(await listedLogins({ allowed })(agent(login as never))).toEqual({ refused: expect.stringContaining(says) });
});

const secretsOf = (text: string) => {
  const file = join(root, "secrets.yaml");
  writeFileSync(file, text);
  return readWorkerSecrets(file);
};

test("a secrets file has the login of an agent by its name, or by its address", () => {
  const secrets = secretsOf(`
weather: { host: "a.test:443", bearer: env:A }
https://b.test/maps: { oauthClient: "me:@/run/secret", tokenUrl: https://login.test/token }
`);
  expect(secrets(agent({}, { name: "weather" }))).toEqual({ login: { bearer: "env:A" } });
  expect(secrets(agent({}, { name: "x", url: "https://b.test/maps/" }))).toMatchObject({
    login: { oauthClient: "me:@/run/secret" },
  });
  expect(secrets(agent({}, { name: "x" }))).toBeUndefined();
  // A ledger that calls another address by that name gets nothing.
  for (const url of ["https://evil.test", "https://a.test:8443", "http://a.test"])
    expect(secrets(agent({}, { name: "weather", url }))).toMatchObject({ refused: expect.any(String) });
  expect(secrets(agent({}, { name: "weather", card: "https://evil.test/card" }))).toMatchObject({
    refused: expect.stringContaining("evil.test:443"),
  });
});

test.each([
  ["weather: { bearer: env:A }", "weather.host is missing"],
  ["https://a.test: { bearer: [hunter2] }", "https://a.test.bearer: expected env:NAME or @file"],
  ["https://a.test: { bearer: hunter2 }", "a secret does not stand in a list"],
  ["https://a.test: { bearr: env:A }", "bearr is unknown; there are bearer"],
  ['weather: { host: "a b", bearer: env:A }', "is not a host"],
  ["- weather", "expected names with values"],
])("%s is told with its place", (text, says) => {
  try {
    secretsOf(text);
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    expect((error as Error).message).toContain(says);
    expect((error as Error).message).not.toContain("hunter2");
  }
});
