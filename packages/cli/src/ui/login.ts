import { assertSendable, type Credentials, type ObtainToken } from "@assay/library/connection";
import type { AgentAccess, Login } from "@assay/web";
import { secretsInGivenHeader } from "@assay/wire";

/**
 * Returns the headers for credentials typed into the page. They are literal secrets: `env:NAME` and `@file` would let
 * anyone with the page's token read variables and files of this machine.
 */
export async function loginOf(
  { login, headers: more = [] }: AgentAccess,
  obtainToken: ObtainToken,
): Promise<Credentials> {
  const secrets: Credentials["secrets"] = [];
  const secret = (name: string, value: string): string => {
    secrets.push({ name, value });
    return value;
  };
  const headers: [string, string][] = more.map(({ name, value }) => {
    for (const each of secretsInGivenHeader(name.trim(), value.trim())) secret(each.name, each.value);
    return [name.trim(), value.trim()];
  });
  if (login) headers.push(await headerOf(login, secret, obtainToken));
  for (const [name, value] of headers) assertSendable(name, value);
  return { headers, secrets };
}

async function headerOf(
  login: Login,
  secret: (name: string, value: string) => string,
  obtainToken: ObtainToken,
): Promise<[string, string]> {
  switch (login.kind) {
    case "bearer":
      return ["Authorization", `Bearer ${secret("bearer", login.token.trim())}`];
    case "api-key":
      return [login.name.trim(), secret("api-key", login.key.trim())];
    case "basic": {
      const pair = Buffer.from(`${login.user}:${secret("basic", login.password)}`).toString("base64");
      return ["Authorization", `Basic ${secret("basic-pair", pair)}`];
    }
    case "oauth-client": {
      const { client: clientId, secret: own, tokenUrl, scope } = login;
      const clientSecret = secret("oauth-secret", own);
      const token = await obtainToken({ tokenUrl, clientId, clientSecret, ...(scope !== undefined && { scope }) });
      return ["Authorization", `Bearer ${secret("oauth-token", token)}`];
    }
  }
}
