import { startTestbed, type Testbed } from "@assay/agents";
import type { JsonObject } from "@assay/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Browser, callback, codeQuestion, form, verifier } from "../fixtures/browser.fixture.ts";
import { freePort } from "../fixtures/free-port.fixture.ts";
import { plain, speaking10 } from "../fixtures/testbed.fixture.ts";
import { type Balancer, balance } from "./balancer.fixture.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "./postgres.fixture.ts";

/** Logs in over two servers on one PostgreSQL, behind a balancer that alternates between them. */
describe.runIf(hasPostgres)("a login over two replicas", () => {
  let postgres: PostgresServer;
  let replicas: Testbed[];
  let balancer: Balancer;
  const faults: unknown[] = [];
  beforeAll(async () => {
    postgres = await startPostgres();
    const address = await postgres.newDatabase();
    const port = await freePort();
    const start = () =>
      startTestbed({
        host: "127.0.0.1",
        port: 0,
        version: "0",
        publicUrl: `http://127.0.0.1:${port}`,
        store: { address },
        onError: (error) => faults.push(error),
      });
    replicas = await Promise.all([start(), start()]);
    balancer = await balance(
      replicas.map(({ url }) => url),
      port,
    );
  });
  afterAll(async () => {
    await balancer?.close();
    await Promise.all(replicas?.map((each) => each.close(0)) ?? []);
    await postgres?.close();
    expect(faults).toEqual([]);
  });

  const codeFor = async (browser: Browser, name: string, more = {}): Promise<string> => {
    const page = await browser.go(`${balancer.url}/oidc/auth?${new URLSearchParams(codeQuestion(more))}`);
    expect([page.status, page.url]).toEqual([200, expect.stringContaining("/oidc/login/")]);
    const back = await browser.go(page.url, form({ name, password: `${name}-password` }));
    expect(back.url).toContain(`${callback}?code=`);
    return new URL(back.url).searchParams.get("code")!;
  };
  const tokenAt = async (url: string, fields: Record<string, string>): Promise<JsonObject> =>
    JSON.parse((await plain(`${url}/oidc/token`, form({ client_id: "console", ...fields }))).text) as JsonObject;
  const redeeming = (code: string) => ({
    grant_type: "authorization_code",
    redirect_uri: callback,
    code_verifier: verifier,
    code,
  });

  test("completes whichever server handles each request, and its tokens are valid on both", async () => {
    // An odd and an even number of requests, so that each step meets both servers.
    for (const shift of [0, 1]) {
      if (shift) await plain(`${balancer.url}/health`);
      const code = await codeFor(new Browser(), "bob");
      const { access_token } = await tokenAt(balancer.url, redeeming(code));
      for (const { url } of replicas) {
        const headers = { ...speaking10, Authorization: `Bearer ${access_token}` };
        expect((await plain(`${url}/secure/tasks`, { headers })).status).toBe(200);
      }
    }
  });

  test("a code and a refresh token work only once, even with concurrent requests", async () => {
    const code = await codeFor(new Browser(), "alice", {
      scope: "openid offline_access tasks:read",
      prompt: "consent",
    });
    const answers = await Promise.all(replicas.flatMap(({ url }) => [0, 1].map(() => tokenAt(url, redeeming(code)))));
    expect(answers.filter((answer) => "access_token" in answer).length).toBeLessThanOrEqual(1);
    expect(answers.filter(({ error }) => error === "invalid_grant").length).toBeGreaterThanOrEqual(3);
    const again = await codeFor(new Browser(), "alice", {
      scope: "openid offline_access tasks:read",
      prompt: "consent",
    });
    const { refresh_token } = await tokenAt(replicas[0]!.url, redeeming(again));
    const renewing = { grant_type: "refresh_token", refresh_token: String(refresh_token) };
    expect(await tokenAt(replicas[1]!.url, renewing)).toHaveProperty("access_token");
    expect(await tokenAt(replicas[0]!.url, renewing)).toMatchObject({ error: "invalid_grant" });
  });
});
