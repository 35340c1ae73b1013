import type { JsonObject } from "@assay/protocol";
import { asList, asObject, asObjects, asText } from "../../../answers/loose-json.ts";
import { passiveClientCheck } from "../../../client/client-check.ts";
import { type ClientCall, callsOf } from "../../../client/client-request.ts";
import { callName, fieldsNamed } from "../../../client/request-fields.ts";
import { broken, holds } from "../../../define/finding.ts";

// Where clients put their credentials. A value is never quoted here: reports are passed on.

/** The schemes of a card: 0.1 has only their names. */
const schemesOf = (card: JsonObject): readonly JsonObject[] =>
  asObjects(Object.values(asObject(card["securitySchemes"]) ?? {}));

/** Whether the card lets no client in without a login: an empty alternative would. */
function asksForLogin(card: JsonObject): boolean {
  const alternatives = [...asList(card["securityRequirements"]), ...asList(card["security"])];
  const named = [asObject(card["authentication"])?.["schemes"]].flat().filter((each) => typeof each === "string");
  if (!alternatives.length) return named.length > 0;
  return alternatives.every((each) => {
    const { schemes, ...others } = asObject(each) ?? {};
    return Object.keys(asObject(schemes) ?? others).length > 0;
  });
}

/** Schemes whose credentials no request shows: the certificate of a client belongs to its connection. */
const isHidden = (scheme: JsonObject): boolean => "mtlsSecurityScheme" in scheme || scheme["type"] === "mutualTLS";

/** The name and place of an API key, in the words of 1.0 or of 0.3. */
function keyOf(scheme: JsonObject): { name: string; place: string | undefined } | undefined {
  const key = asObject(scheme["apiKeySecurityScheme"]) ?? (scheme["type"] === "apiKey" ? scheme : undefined);
  const name = asText(key?.["name"]);
  return key && name !== undefined ? { name, place: asText(key["location"]) ?? asText(key["in"]) } : undefined;
}

/** What a call shows of credentials, where the schemes of the card have them. */
function credentialsIn(call: ClientCall, card: JsonObject): readonly string[] {
  const { searchParams } = new URL(call.exchange.http.request.url);
  const keys = schemesOf(card).flatMap((scheme) => keyOf(scheme) ?? []);
  const kept = keys.flatMap(({ name, place }) =>
    place === "query"
      ? searchParams.getAll(name)
      : place === "cookie"
        ? fieldsNamed(call, "cookie")
        : fieldsNamed(call, name),
  );
  return [...fieldsNamed(call, "authorization"), ...kept].filter((value) => value !== "");
}

/** The secret in a header field: what stands behind the name of the scheme. */
const secretOf = (value: string): string => /^\S+\s+(\S.*)$/.exec(value)?.[1] ?? value;

const sentAlong = passiveClientCheck({
  id: "AUTH-005",
  judge(call, { agent: { card }, before }) {
    const own = credentialsIn(call, card);
    const written = Buffer.from(call.exchange.http.request.body).toString("utf8");
    // A short value may stand in a message by chance.
    if (own.some((value) => secretOf(value).length >= 12 && written.includes(secretOf(value))))
      return broken(`${callName(call)} carries its credentials in the payload as well`, {
        saw: "the value of a credential within the body",
        want: "credentials in header fields or metadata only",
      });
    if (own.length) return holds();
    // To another host name, as a redirect may lead to, credentials are not to be taken along.
    const earlier = callsOf(before).findLast((each) => credentialsIn(each, card).length > 0 && isSameHost(each, call));
    if (!(earlier && asksForLogin(card) && !schemesOf(card).some(isHidden))) return undefined;
    return broken(`${callName(call)} is sent without the credentials that earlier requests had`, {
      saw: "no credentials",
      want: "those of the scheme, on every request",
      at: [earlier.exchange, call.exchange],
    });
  },
});

const isSameHost = (one: ClientCall, other: ClientCall): boolean =>
  new URL(one.exchange.http.request.url).host === new URL(other.exchange.http.request.url).host;

const loggedIn = passiveClientCheck({
  id: "XCARD-011",
  judge(call, { agent: { card } }) {
    if (call.operation !== "GetExtendedAgentCard" || !schemesOf(card).length) return undefined;
    if (credentialsIn(call, card).length) return holds();
    // Refused for the lack of them, a client may come back with them; and a certificate is not seen.
    if (call.reply.is !== "result" || schemesOf(card).some(isHidden)) return undefined;
    return broken("the extended card is asked for, and got, without credentials", {
      saw: "no credentials",
      want: "those of a scheme that the card declares",
    });
  },
});

export const clientCredentialChecks = [sentAlong, loggedIn];
