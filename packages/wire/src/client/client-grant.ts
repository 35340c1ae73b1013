import { jsonObjectIn } from "@assay/protocol";
import type { Exchange, HeaderPairs } from "../recording/exchange.ts";
import { bindCredentials } from "./bound-credentials.ts";
import { createHttpClient, type HttpClientOptions } from "./http.ts";

/** A client that logs in by itself (RFC 6749 §4.4): who it is, and where it gets its token. */
export interface ClientGrant {
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope?: string;
}

/** The token, or why there is none. */
export type GrantedToken = { readonly token: string } | { readonly refused: string };

/**
 * Asks the token URL for a token. The secret goes to that URL and nowhere else: no redirect is followed, and the client
 * that asks is made for it alone.
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
    // Servers have to take the one form and may take the other (§2.3.1); some do it the other way round.
    const isUnread = errorIn(first) === "invalid_client" || first.http.response?.status === 401;
    return readToken(isUnread ? await ask([], { client_id: clientId, client_secret: clientSecret }) : first);
  } finally {
    await client.close();
  }
}

/** As a form writes it, which is how the two halves of the header are written here. */
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
    refused: json ? "HTTP 200 without an access_token that can be sent" : "HTTP 200 with a body that is no JSON",
  };
}

function errorIn(exchange: Exchange): string | undefined {
  const error = jsonObjectIn(exchange.http.response?.body)?.["error"];
  return typeof error === "string" ? error.slice(0, 100) : undefined;
}
