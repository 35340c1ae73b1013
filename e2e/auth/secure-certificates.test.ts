import { request } from "node:https";
import type { AgentCard, JsonObject } from "@assay/protocol";
import { grpcV10 } from "@assay/protocol/grpc";
import { credentials } from "@grpc/grpc-js";
import { describe, expect, test } from "vitest";
import { makeCertificates } from "../../packages/wire/src/client/certificates.fixture.ts";
import { refusalOf, useGrpcPeers, version10 } from "../fixtures/grpc.fixture.ts";
import { bindings, sending, useTestbed, written } from "../fixtures/testbed.fixture.ts";

// /secure over TLS, where callers are known by certificates of an authority that the operator named.

const { ca, server, client, named } = makeCertificates("alice", "bob");
const foreign = makeCertificates("alice").named["alice"]!;
const bed = useTestbed({ tls: { ...server, ca, requestCert: true, rejectUnauthorized: false } });
const dial = useGrpcPeers();
const secure = () => `${bed.url}/secure`;

type Shown = { readonly cert: string; readonly key: string } | undefined;
const [alice, bob] = [named["alice"], named["bob"]];

interface Answer {
  readonly status: number;
  readonly challenge: string | undefined;
  readonly json: JsonObject;
}

/** On a connection of its own. */
const over = (shown: Shown, { url, plain }: ReturnType<typeof written>): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const headers = { ...plain.headers } as Record<string, string>;
    const sent = request(url, { method: plain.method, headers, ca, agent: false, ...shown }, async (answer) => {
      let text = "";
      for await (const chunk of answer.setEncoding("utf8")) text += chunk as string;
      const challenge = answer.headers["www-authenticate"];
      resolve({ status: answer.statusCode!, challenge, json: JSON.parse(text) as JsonObject });
    });
    sent.on("error", reject).end(plain.body);
  });

const asking = (shown: Shown, id: string, headers: Record<string, string> = {}) =>
  over(shown, written(secure(), "HTTP+JSON", "GetTask", { id }, headers));

const begun = async (shown: Shown, headers: Record<string, string> = {}): Promise<string> => {
  const { json } = await over(
    shown,
    written(secure(), "HTTP+JSON", "SendMessage", sending("task-lifecycle x"), headers),
  );
  return (json["task"] as JsonObject)["id"] as string;
};

test("the card says so, in 1.0 and in 0.3, and is public", async () => {
  const read = async (agent: string) =>
    (await over(undefined, { url: `${bed.url}/${agent}/.well-known/agent-card.json`, plain: {} })).json;
  const card = (await read("secure")) as unknown as AgentCard;
  expect(card.securitySchemes).toHaveProperty("certificate.mtlsSecurityScheme");
  expect(card.securityRequirements).toContainEqual({ schemes: { certificate: {} } });
  // Over TLS the metadata of the OAuth server can be named too.
  expect(card.securitySchemes).toHaveProperty(
    "clientCredentials.oauth2SecurityScheme.oauth2MetadataUrl",
    `${bed.url}/oidc/.well-known/oauth-authorization-server`,
  );
  expect(await read("secure@0.3")).toMatchObject({ securitySchemes: { certificate: { type: "mutualTLS" } } });
});

describe("a certificate", () => {
  test("is the caller, over every binding, and the same one as by other schemes", async () => {
    const id = await begun(alice);
    for (const binding of bindings) {
      expect((await over(alice, written(secure(), binding, "GetTask", { id }))).status).toBe(200);
    }
    expect((await asking(undefined, id, { Authorization: "Bearer alice-token" })).status).toBe(200);
    expect((await asking(bob, id)).status).toBe(404);
    const withThat = (shown: NonNullable<Shown>) =>
      dial(`127.0.0.1:${bed.port}`, grpcV10, {
        credentials: credentials.createSsl(Buffer.from(ca), Buffer.from(shown.key), Buffer.from(shown.cert)),
      });
    const call = { meta: version10 };
    expect(await withThat(alice!).ask("GetTask", { tenant: "secure", id }, call)).toMatchObject({ id });
    const refused = await refusalOf(withThat(bob!).ask("GetTask", { tenant: "secure", id }, call));
    expect(refused).toEqual({ status: "NOT_FOUND", reason: "TASK_NOT_FOUND" });
    const unknown = await refusalOf(withThat(client).ask("GetTask", { tenant: "secure", id }, call));
    expect(unknown).toEqual({ status: "UNAUTHENTICATED", reason: "UNAUTHENTICATED" });
  });

  test.each<[string, Shown]>([
    ["no certificate", undefined],
    ["a certificate that names no caller", client],
    ["a certificate of another authority", foreign],
  ])("a request with %s is rejected", async (_name, shown) => {
    const { status, challenge } = await asking(shown, "x");
    expect([status, challenge]).toEqual([401, 'Bearer realm="secure", Basic realm="secure", ApiKey realm="secure"']);
  });

  test("does not help credentials that are wrong, and gives way to those that are good", async () => {
    const id = await begun(undefined, { "X-API-Key": "bob-key" });
    expect((await asking(alice, id, { "X-API-Key": "bob-key" })).status).toBe(200);
    expect((await asking(alice, id, { "X-API-Key": "wrong" })).status).toBe(401);
    expect((await asking(alice, id, { Authorization: "Bearer wrong" })).status).toBe(401);
  });

  test("is not asked for by agents that know no callers", async () => {
    const { status } = await over(
      undefined,
      written(`${bed.url}/spec`, "JSONRPC", "SendMessage", sending("message-only x")),
    );
    expect(status).toBe(200);
  });
});
