import { isLoopback } from "@assay/protocol";
import { UsageError } from "@assay/protocol/assay-error";
import { escapeText } from "@assay/protocol/escape";
import { createEgressGuard, type HttpClientOptions, requestToken } from "@assay/wire";
import type { GivenOauth, ObtainToken } from "./credentials.ts";
import type { ConnectionValues } from "./option-caller.ts";
import { nameFor, type OptionCaller } from "./option-caller.ts";

/** The default source of the client secret. */
const usualSecret = "env:ASSAY_OAUTH_SECRET";

/** Returns the OAuth client of the command line, which names the secret but never contains it. */
export function oauthOf(
  { oauthClient, tokenUrl, oauthScope }: Pick<ConnectionValues, "oauthClient" | "tokenUrl" | "oauthScope">,
  caller: Pick<OptionCaller, "nameOf"> = {},
): GivenOauth | undefined {
  if (oauthClient === undefined && tokenUrl === undefined) return undefined;
  const [clientName, urlName] = [nameFor(caller, "oauthClient"), nameFor(caller, "tokenUrl")];
  if (oauthClient === undefined || tokenUrl === undefined)
    throw new UsageError(
      `${oauthClient === undefined ? urlName : clientName} requires ${oauthClient === undefined ? clientName : urlName}`,
      `An OAuth client needs ${clientName} and ${urlName}, and its secret in ASSAY_OAUTH_SECRET.`,
    );
  const [, client = oauthClient, secret = usualSecret] = /^(.+?):((?:env:|@).+)$/.exec(oauthClient) ?? [];
  return { client, secret, tokenUrl, ...(oauthScope !== undefined && { scope: oauthScope }) };
}

/**
 * Fetches tokens with the connection options of the agent. The operator named the token URL, so its host is allowed.
 */
export const tokenGetter =
  (connection: Omit<HttpClientOptions, "credentials" | "recording">): ObtainToken =>
  async (grant) => {
    const { tokenUrl } = grant;
    const url = URL.canParse(tokenUrl) ? new URL(tokenUrl) : undefined;
    const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname));
    if (!url || !isSafe)
      throw new UsageError(
        `The token URL ${tokenUrl} is not https`,
        "Assay does not send a secret unencrypted. Use an https URL.",
      );
    const guard = createEgressGuard({ trustedHosts: [url.hostname] });
    const answer = await requestToken(grant, { ...connection, guard });
    if ("token" in answer) return answer.token;
    throw new UsageError(
      `${url.origin}${url.pathname} issued no token to the client ${grant.clientId}: ${escapeText(answer.refused)}`,
      "Check the id, the secret and the scope.",
    );
  };
