import type { JsonObject } from "@assay/protocol";
import { asList, asObject, asObjects, asText } from "../../../answers/loose-json.ts";
import { passiveClientCheck } from "../../../client/client-check.ts";
import { type ClientCall, callsOf } from "../../../client/client-request.ts";
import { callName, fieldsNamed } from "../../../client/request-fields.ts";
import { broken, holds } from "../../../define/finding.ts";

// Places where clients put credentials. Values are never quoted, because reports are shared.

/** Returns the schemes of a card; 0.1 has only names. */
const schemesOf = (card: JsonObject): readonly JsonObject[] =>
  asObjects(Object.values(asObject(card["securitySchemes"]) ?? {}));

/** Returns true if the card requires credentials of every client. An empty alternative admits anonymous clients. */
function asksForLogin(card: JsonObject): boolean {
  const alternatives = [...asList(card["securityRequirements"]), ...asList(card["security"])];
  const named = [asObject(card["authentication"])?.["schemes"]].flat().filter((each) => typeof each === "string");
  if (!alternatives.length) return named.length > 0;
  return alternatives.every((each) => {
    const { schemes, ...others } = asObject(each) ?? {};
    return Object.keys(asObject(schemes) ?? others).length > 0;
  });
}

/** Schemes whose credentials are not in requests: a client certificate belongs to the connection. */
const isHidden = (scheme: JsonObject): boolean => "mtlsSecurityScheme" in scheme || scheme["type"] === "mutualTLS";

/** Returns the name and place of an API key, in the form of 1.0 or 0.3. */
function keyOf(scheme: JsonObject): { name: string; place: string | undefined } | undefined {
  const key = asObject(scheme["apiKeySecurityScheme"]) ?? (scheme["type"] === "apiKey" ? scheme : undefined);
  const name = asText(key?.["name"]);
  return key && name !== undefined ? { name, place: asText(key["location"]) ?? asText(key["in"]) } : undefined;
}

/** Returns the credentials of a call, at the places that the card's schemes define. */
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

/** Returns the secret in a header: the text after the scheme name. */
const secretOf = (value: string): string => /^\S+\s+(\S.*)$/.exec(value)?.[1] ?? value;

export const sentAlong = passiveClientCheck("AUTH-005", {
  judge(call, { agent: { card }, before }) {
    const own = credentialsIn(call, card);
    const written = Buffer.from(call.exchange.http.request.body).toString("utf8");
    // A short value may appear in a message by chance.
    if (own.some((value) => secretOf(value).length >= 12 && written.includes(secretOf(value))))
      return broken(`${callName(call)} repeats its credentials in the payload`, {
        saw: "the value of a credential within the body",
        want: "credentials only in headers or metadata",
      });
    if (own.length) return holds();
    if (!asksForLogin(card) || schemesOf(card).some(isHidden)) return undefined;
    // Credentials must not be sent to another host, for example after a redirect.
    const earlier = callsOf(before).findLast((each) => credentialsIn(each, card).length > 0 && isSameHost(each, call));
    if (!earlier) return undefined;
    return broken(`${callName(call)} has no credentials, although earlier requests had`, {
      saw: "no credentials",
      want: "the credentials of the scheme, on every request",
      at: [earlier.exchange, call.exchange],
    });
  },
});

const isSameHost = (one: ClientCall, other: ClientCall): boolean =>
  new URL(one.exchange.http.request.url).host === new URL(other.exchange.http.request.url).host;

export const loggedIn = passiveClientCheck("XCARD-011", {
  judge(call, { agent: { card } }) {
    if (call.operation !== "GetExtendedAgentCard" || !schemesOf(card).length) return undefined;
    if (credentialsIn(call, card).length) return holds();
    // A client may retry with credentials after an error, and a certificate is not visible.
    if (call.reply.is !== "result" || schemesOf(card).some(isHidden)) return undefined;
    return broken("the client gets the extended card without credentials", {
      saw: "no credentials",
      want: "credentials of a scheme that the card declares",
    });
  },
});
