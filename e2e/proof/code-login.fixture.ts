import { createHash, randomBytes } from "node:crypto";
import type { Testbed } from "@assay/agents";
import { plain } from "../fixtures/testbed.fixture.ts";

/** Where the client would listen; nothing is sent there. */
const callback = "http://127.0.0.1:9/callback";

const form = (fields: Readonly<Record<string, string>>) => ({
  method: "POST",
  headers: { "Content-Type": "application/x-www-form-urlencoded" },
  body: new URLSearchParams(fields).toString(),
});

/** The access token of a caller who logs in by the page of the test bed's OAuth server (RFC 6749 §4.1, with PKCE). */
export async function codeToken({ url }: Pick<Testbed, "url">, name: string): Promise<string> {
  const cookies = new Map<string, string>();
  /** Follows redirects as a browser does, up to a page or to the client. */
  const go = async (to: string, request: Parameters<typeof plain>[1] = {}): Promise<string> => {
    const cookie = [...cookies].map(([key, value]) => `${key}=${value}`).join("; ");
    const { headers } = await plain(to, { ...request, headers: { ...request.headers, Cookie: cookie } });
    for (const line of headers["set-cookie"] ?? []) {
      const [, key = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(key, value);
    }
    if (headers.location === undefined) return to;
    const next = new URL(headers.location, to).href;
    return next.startsWith(callback) ? next : go(next);
  };
  const verifier = randomBytes(32).toString("base64url");
  const question = new URLSearchParams({
    client_id: "console",
    response_type: "code",
    redirect_uri: callback,
    scope: "tasks:read tasks:write tasks:cancel push:write card:extended",
    state: "s",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  });
  const page = await go(`${url}/oidc/auth?${question}`);
  const back = new URL(await go(page, form({ name, password: `${name}-password` })));
  const answer = await plain(
    `${url}/oidc/token`,
    form({
      grant_type: "authorization_code",
      client_id: "console",
      redirect_uri: callback,
      code: back.searchParams.get("code") ?? "",
      code_verifier: verifier,
    }),
  );
  return (JSON.parse(answer.text) as { access_token: string }).access_token;
}
