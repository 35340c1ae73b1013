import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTestbed, type Testbed } from "@assay/agents";
import type { AgentCard, JsonObject } from "@assay/protocol";
import { grpcV10 } from "@assay/protocol/grpc";
import { describe, expect, test } from "vitest";
import { Browser, callback, codeQuestion, form, verifier } from "../fixtures/browser.fixture.ts";
import { refusalOf, useGrpcPeers, version10 } from "../fixtures/grpc.fixture.ts";
import {
  ask,
  bindings,
  plain,
  refusal,
  refusedAs,
  say,
  sending,
  useTestbed,
  written,
} from "../fixtures/testbed.fixture.ts";

// The OAuth server of the test bed, and what /secure makes of its tokens.

const bed = useTestbed({ timeScale: 0.05 });
const dial = useGrpcPeers();
const grpc = dial(() => `127.0.0.1:${bed.port}`, grpcV10);
const secure = () => `${bed.url}/secure`;
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

interface TokenAnswer {
  readonly access_token: string;
  readonly id_token?: string;
  readonly refresh_token?: string;
  readonly scope?: string;
  readonly error?: string;
}

const askForToken = async (
  fields: Readonly<Record<string, string>>,
  headers = {},
  base = bed.url,
): Promise<TokenAnswer> => JSON.parse((await plain(`${base}/oidc/token`, form(fields, headers))).text) as TokenAnswer;

/** What a client gets that acts for itself. */
const grantedTo = (client: string, more: Readonly<Record<string, string>> = {}, base = bed.url) => {
  const secret = `${client.split("-")[0]}-secret`;
  const pair = Buffer.from(`${client}:${secret}`).toString("base64");
  return askForToken({ grant_type: "client_credentials", ...more }, { Authorization: `Basic ${pair}` }, base);
};
const tokenOf = async (client: string, more = {}, base = bed.url) => (await grantedTo(client, more, base)).access_token;

const claimsIn = (token: string): JsonObject =>
  JSON.parse(Buffer.from(token.split(".")[1]!, "base64url").toString()) as JsonObject;

describe("the server", () => {
  test("has at each address of the test bed an issuer of that address", async () => {
    for (const base of [bed.url, `http://localhost:${bed.port}`]) {
      const issuer = `${base}/oidc`;
      for (const name of ["openid-configuration", "oauth-authorization-server"]) {
        const found = JSON.parse((await plain(`${issuer}/.well-known/${name}`)).text) as JsonObject;
        expect(found).toMatchObject({
          issuer,
          token_endpoint: `${issuer}/token`,
          authorization_endpoint: `${issuer}/auth`,
          jwks_uri: `${issuer}/jwks`,
        });
      }
      expect(claimsIn(await tokenOf("alice", {}, base))).toMatchObject({ iss: issuer, aud: `${base}/secure` });
    }
  });

  test("is where the card says", async () => {
    const card = JSON.parse((await plain(`${secure()}/.well-known/agent-card.json`)).text) as AgentCard;
    const { clientCredentials, openId, jwt } = card.securitySchemes!;
    expect(clientCredentials?.oauth2SecurityScheme?.flows.clientCredentials?.tokenUrl).toBe(`${bed.url}/oidc/token`);
    expect(jwt?.httpAuthSecurityScheme).toMatchObject({ scheme: "Bearer", bearerFormat: "JWT" });
    const found = await plain(openId!.openIdConnectSecurityScheme!.openIdConnectUrl);
    expect(found.status).toBe(200);
  });

  test("declares the same in the words of 0.3", async () => {
    const card = JSON.parse((await plain(`${bed.url}/secure@0.3/.well-known/agent-card.json`)).text) as JsonObject;
    expect(card["securitySchemes"]).toMatchObject({
      jwt: { type: "http", scheme: "Bearer", bearerFormat: "JWT" },
      clientCredentials: { type: "oauth2", flows: { clientCredentials: { tokenUrl: `${bed.url}/oidc/token` } } },
      authorizationCode: { type: "oauth2", flows: { authorizationCode: { tokenUrl: `${bed.url}/oidc/token` } } },
      openId: { type: "openIdConnect" },
    });
    expect(card["security"]).toContainEqual({ clientCredentials: ["tasks:read", "tasks:write"] });
  });

  test("does not believe what a client says of its address", async () => {
    const headers = { "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https" };
    const { text } = await plain(`${bed.url}/oidc/.well-known/openid-configuration`, { headers });
    expect(text).not.toContain("evil.example");
    expect(text).not.toContain("https:");
  });
});

describe("client credentials", () => {
  test.each(["alice", "bob", "carol"])("of %s are those of the caller over every binding", async (name) => {
    const { id } = (await ask(secure(), "JSONRPC", "SendMessage", sending("task-lifecycle x"), bearer(`${name}-token`)))
      .task!;
    const token = bearer(await tokenOf(name));
    for (const binding of bindings) expect((await ask(secure(), binding, "GetTask", { id }, token)).id).toBe(id);
    const meta = { ...version10, authorization: token.Authorization };
    expect(await grpc.ask("GetTask", { tenant: "secure", id }, { meta })).toMatchObject({ id });
    // And those of no other.
    const other = bearer(await tokenOf(name === "alice" ? "bob" : "alice"));
    expect(await refusal(secure(), "HTTP+JSON", "GetTask", { id }, other)).toEqual(
      refusedAs("HTTP+JSON", "TaskNotFound"),
    );
  });

  test("a token has only the scopes that the client requested", async () => {
    const { access_token, scope } = await grantedTo("alice", { scope: "tasks:read" });
    expect(scope).toBe("tasks:read");
    const token = bearer(access_token);
    expect(await ask(secure(), "JSONRPC", "ListTasks", {}, token)).toHaveProperty("tasks");
    for (const binding of bindings) {
      const sent = written(secure(), binding, "SendMessage", sending("message-only x"), token);
      const { status, headers } = await plain(sent.url, sent.plain);
      expect([status, headers["www-authenticate"]]).toEqual([
        403,
        'Bearer realm="secure", error="insufficient_scope", scope="tasks:write", Basic realm="secure", ApiKey realm="secure"',
      ]);
    }
    const meta = { ...version10, authorization: token.Authorization };
    const message = say("message-only x") as unknown as JsonObject;
    expect(await refusalOf(grpc.ask("SendMessage", { tenant: "secure", message }, { meta }))).toEqual({
      status: "PERMISSION_DENIED",
      reason: "PERMISSION_DENIED",
    });
  });

  test("do not give more than the client has", async () => {
    expect(await grantedTo("carol", { scope: "tasks:cancel" })).toMatchObject({ error: "invalid_scope" });
    expect((await grantedTo("carol")).scope).toBe("tasks:read tasks:write");
  });

  test("that are wrong give nothing", async () => {
    const headers = { Authorization: `Basic ${Buffer.from("alice:bob-secret").toString("base64")}` };
    expect(await askForToken({ grant_type: "client_credentials" }, headers)).toMatchObject({ error: "invalid_client" });
  });

  test("the server rejects invalid tokens without saying why", async () => {
    const good = await tokenOf("alice");
    const bad = [
      ...(await Promise.all(
        ["expired", "not-yet", "elsewhere", "other-issuer"].map((kind) => tokenOf(`alice-${kind}`)),
      )),
      await tokenOf("alice", { resource: `${bed.url}/full` }),
      `${good.slice(0, -4)}AAAA`,
      "nonsense",
      "a.b.c",
      // Anyone can write these.
      ...[5, null, {}].map((iss) => `${jsonPart({ alg: "RS256", typ: "at+jwt" })}.${jsonPart({ iss })}.AAAA`),
    ];
    for (const binding of bindings) {
      const answers = await Promise.all(
        bad.map(async (token) => {
          const { url, plain: request } = written(secure(), binding, "GetTask", { id: "x" }, bearer(token));
          const { status, headers, text } = await plain(url, request);
          expect([status, headers["www-authenticate"]]).toEqual([
            401,
            'Bearer realm="secure", error="invalid_token", Basic realm="secure", ApiKey realm="secure"',
          ]);
          return text.replaceAll(/call-[0-9a-f-]{36}/g, "");
        }),
      );
      expect(new Set(answers).size).toBe(1);
    }
    for (const token of bad) {
      const meta = { ...version10, authorization: `Bearer ${token}` };
      expect(await refusalOf(grpc.ask("GetTask", { tenant: "secure", id: "x" }, { meta }))).toEqual({
        status: "UNAUTHENTICATED",
        reason: "UNAUTHENTICATED",
      });
    }
  });
});

const jsonPart = (json: unknown): string => Buffer.from(JSON.stringify(json)).toString("base64url");

describe("the authorisation code", () => {
  const atDoor = async (more = {}) => {
    const browser = new Browser();
    const page = await browser.go(`${bed.url}/oidc/auth?${new URLSearchParams(codeQuestion(more))}`);
    return { browser, page };
  };
  const codeFor = async (name: string, more = {}): Promise<string> => {
    const { browser, page } = await atDoor(more);
    const back = await browser.go(page.url, form({ name, password: `${name}-password` }));
    const { searchParams } = new URL(back.url);
    expect([searchParams.get("state"), searchParams.get("iss")]).toEqual(["s1", `${bed.url}/oidc`]);
    return searchParams.get("code")!;
  };
  const redeemed = (code: string, more: Readonly<Record<string, string>> = {}) =>
    askForToken({
      grant_type: "authorization_code",
      client_id: "console",
      redirect_uri: callback,
      code,
      code_verifier: verifier,
      ...more,
    });

  test("is given to those who log in, and its token is theirs", async () => {
    const { access_token, id_token, scope } = await redeemed(await codeFor("bob"));
    expect(scope).toBe("tasks:read tasks:write");
    expect(claimsIn(access_token)).toMatchObject({ sub: "bob", client_id: "console", aud: secure() });
    const { id } = (await ask(secure(), "JSONRPC", "SendMessage", sending("task-lifecycle x"), bearer("bob-token")))
      .task!;
    expect((await ask(secure(), "HTTP+JSON", "GetTask", { id }, bearer(access_token))).id).toBe(id);
    expect(await refusal(secure(), "HTTP+JSON", "CancelTask", { id }, bearer(access_token))).toMatchObject({
      http: 403,
    });
    // The other token says who it was, and is no key.
    expect(await refusal(secure(), "HTTP+JSON", "GetTask", { id }, bearer(id_token!))).toMatchObject({ http: 401 });
  });

  test("a token gives no permission that the caller lacks", async () => {
    const { access_token, scope } = await redeemed(await codeFor("carol", { scope: "tasks:read tasks:cancel" }));
    expect(scope).toBe("tasks:read tasks:cancel");
    const { id } = (await ask(secure(), "JSONRPC", "SendMessage", sending("multi-turn x"), bearer("carol-token")))
      .task!;
    expect((await ask(secure(), "JSONRPC", "GetTask", { id }, bearer(access_token))).id).toBe(id);
    expect(await refusal(secure(), "HTTP+JSON", "CancelTask", { id }, bearer(access_token))).toMatchObject({
      http: 403,
    });
  });

  test("can be renewed, once for each refresh token", async () => {
    const scope = "openid offline_access tasks:read";
    const { refresh_token } = await redeemed(await codeFor("alice", { scope, prompt: "consent" }));
    const renew = () =>
      askForToken({ grant_type: "refresh_token", client_id: "console", refresh_token: refresh_token! });
    expect(claimsIn((await renew()).access_token)).toMatchObject({ sub: "alice", scope: "tasks:read" });
    expect(await renew()).toMatchObject({ error: "invalid_grant" });
  });

  test("the server gives no code for wrong credentials or to another browser", async () => {
    const { browser, page } = await atDoor();
    expect([page.status, page.url.includes("/oidc/login/")]).toEqual([200, true]);
    for (const fields of [{ name: "alice", password: "bob-password" }, { name: "mallory", password: "" }, {}]) {
      const refused = await browser.go(page.url, form(fields as Record<string, string>));
      expect([refused.status, refused.url]).toEqual([403, page.url]);
    }
    // Another browser cannot go on where this one is.
    const alice = form({ name: "alice", password: "alice-password" });
    expect((await plain(page.url, alice)).status).toBe(400);
    expect((await plain(`${bed.url}/oidc/login/${randomUUID()}`)).status).toBe(400);
  });

  test("the server rejects login requests over 64 KiB", async () => {
    const long = form(codeQuestion({ state: "s".repeat(70_000) }));
    expect((await plain(`${bed.url}/oidc/auth`, long)).status).toBe(413);
  });

  test("no other page can show the login pages in a frame", async () => {
    const { browser, page } = await atDoor();
    const wrong = await browser.go(page.url, form({ name: "alice", password: "wrong" }));
    const foreign = await plain(`${bed.url}/oidc/login/${randomUUID()}`);
    const refused = await plain(`${bed.url}/oidc/auth?client_id=nobody`);
    expect([page, wrong, foreign, refused].map(({ status }) => status)).toEqual([200, 403, 400, 400]);
    for (const { headers } of [page, wrong, foreign, refused])
      expect(headers).toMatchObject({ "x-frame-options": "DENY", "content-security-policy": "frame-ancestors 'none'" });
  });

  test("a code works once, and requires PKCE and a registered redirect URI", async () => {
    const code = await codeFor("alice");
    expect(await redeemed(code, { code_verifier: "w".repeat(50) })).toMatchObject({ error: "invalid_grant" });
    const other = await codeFor("alice");
    expect(await redeemed(other)).toHaveProperty("access_token");
    expect(await redeemed(other)).toMatchObject({ error: "invalid_grant" });
    const bare = await atDoor({ code_challenge: "", code_challenge_method: "" });
    expect(new URL(bare.page.url).searchParams.get("error")).toBe("invalid_request");
    const elsewhere = await atDoor({ redirect_uri: "http://evil.example/callback" });
    expect([elsewhere.page.status, elsewhere.page.text.includes("<!doctype html>")]).toEqual([400, true]);
  });
});

test("a token outlives a restart on a store, and is good on every server that shares it; without one it is not", async () => {
  const folder = mkdtempSync(join(tmpdir(), "assay-tokens-"));
  const start = (store?: { address: string }) =>
    startTestbed({ host: "127.0.0.1", port: 0, version: "0", ...(store && { store }) });
  const statusAt = async ({ url }: Testbed, token: string) => {
    const { plain: request } = written("", "HTTP+JSON", "ListTasks", {}, bearer(token));
    return (await plain(`${url}/secure/tasks`, request)).status;
  };
  const store = { address: `sqlite:${join(folder, "tasks.db")}` };
  const first = await start(store);
  const token = await tokenOf("alice", {}, first.url);
  expect(await statusAt(first, token)).toBe(200);
  await first.close(0);
  const [second, another] = [await start(store), await start()];
  expect([await statusAt(second, token), await statusAt(another, token)]).toEqual([200, 401]);
  await Promise.all([second.close(0), another.close(0)]);
  rmSync(folder, { recursive: true });
});
