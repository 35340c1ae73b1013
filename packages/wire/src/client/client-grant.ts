import { jsonObjectIn } from "@assay/protocol";
import type { Exchange, HeaderPairs } from "../recording/exchange.ts";
import { bindCredentials } from "./bound-credentials.ts";
import { createHttpClient, type HttpClientOptions } from "./http.ts";

/** Settings of the client credentials grant (RFC 6749 §4.4): the client and its token URL. */
export interface ClientGrant {
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope?: string;
}

/** The token, or the reason why there is none. */
export type GrantedToken = { readonly token: string } | { readonly refused: string };

/**
 * Requests a token. The secret is sent only to the token URL: redirects are not followed, and the HTTP client is
 * created for this request only.
 */
export async function requestToken(
  grant: ClientGrant,
  options: Omit<HttpClientOptions, "credentials" | "recording">,
): Promise<GrantedToken> {
  const { tokenUrl, clientId, clientSecret } = grant;
  const basic = Buffer.from(`${formText(clientId)}:${formText(clientSecret)}`).toString("base64");
  const authorization: HeaderPairs = [["Authorization", `Basic ${basic}`]];
  const secrets = [clientSecret, basic];
  const credentials = bindCredentials({ named: [tokenUrl], fields: authorization, secrets });
  const client = createHttpClient({ ...options, credentials });
  const ask = async (headers: HeaderPairs, more: Record<string, string>): Promise<Exchange> =>
    client.request({
      method: "POST",
      url: tokenUrl,
      headers: [["Content-Type", "application/x-www-form-urlencoded"], ["Accept", "application/json"], ...headers],
      body: Buffer.from(
        new URLSearchParams({
          grant_type: "client_credentials",
          ...(grant.scope !== undefined && { scope: grant.scope }),
          ...more,
        }).toString(),
      ),
    });
  try {
    const first = await ask(authorization, {});
    // Servers must accept one form and may accept the other (§2.3.1); some do the reverse.
    const isUnread = errorIn(first) === "invalid_client" || first.http.response?.status === 401;
    return readToken(isUnread ? await ask([], { client_id: clientId, client_secret: clientSecret }) : first);
  } finally {
    await client.close();
  }
}

/** Form-encodes a text, as the two halves of the header require. */
const formText = (text: string): string => new URLSearchParams({ "": text }).toString().slice(1);

function readToken(exchange: Exchange): GrantedToken {
  const { failure, http } = exchange;
  if (failure) return { refused: failure.message };
  const status = http.response?.status ?? 0;
  const json = jsonObjectIn(exchange.http.response?.body);
  const token = json?.["access_token"];
  if (status === 200 && typeof token === "string" && /^[\x21-\x7e]+$/.test(token)) return { token };
  const error = errorIn(exchange);
  if (status !== 200) return { refused: `HTTP ${status}${error === undefined ? "" : ` (${error})`}` };
  return {
    refused: json ? "HTTP 200 without a valid access_token" : "HTTP 200 with a body that is not JSON",
  };
}

function errorIn(exchange: Exchange): string | undefined {
  const error = jsonObjectIn(exchange.http.response?.body)?.["error"];
  return typeof error === "string" ? error.slice(0, 100) : undefined;
}
