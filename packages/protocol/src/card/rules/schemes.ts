import { isHeaderName } from "../../header-name.ts";
import { isObject } from "../../json.ts";
import { isLoopback } from "../../loopback.ts";
import { type CardFinding, finding, quote } from "../finding.ts";
import { entriesIn } from "../members.ts";
import { isHttpUrl, parseUrl } from "../url.ts";
import type { CardRule } from "./rule.ts";

/** https://www.iana.org/assignments/http-authschemes, in lower case because schemes are compared case-insensitively. */
const registered = new Set([
  "basic",
  "bearer",
  "concealed",
  "digest",
  "dpop",
  "gnap",
  "hoba",
  "mutual",
  "negotiate",
  "oauth",
  "privatetoken",
  "scram-sha-1",
  "scram-sha-256",
  "vapid",
]);

const flowRules: Record<string, string> = {
  authorizationCode: "CARD-030",
  clientCredentials: "CARD-031",
  deviceCode: "CARD-032",
  implicit: "CARD-034",
  password: "CARD-034",
};

/** Checks the content of declared schemes, beyond their shape. */
export const schemes: CardRule = function* ({ meant, shape }) {
  if (shape === "older") return;
  for (const [scheme, path] of entriesIn(meant["securitySchemes"], "$.securitySchemes")) {
    const { apiKeySecurityScheme, httpAuthSecurityScheme, openIdConnectSecurityScheme, oauth2SecurityScheme } = scheme;
    if (isObject(apiKeySecurityScheme)) yield* apiKey(apiKeySecurityScheme, `${path}.apiKeySecurityScheme`);
    if (isObject(httpAuthSecurityScheme)) yield* httpAuth(httpAuthSecurityScheme, `${path}.httpAuthSecurityScheme`);
    if (isObject(openIdConnectSecurityScheme)) {
      const { openIdConnectUrl } = openIdConnectSecurityScheme;
      yield* urlMember(openIdConnectUrl, `${path}.openIdConnectSecurityScheme.openIdConnectUrl`, "CARD-033");
    }
    if (isObject(oauth2SecurityScheme)) yield* oauth2(oauth2SecurityScheme, `${path}.oauth2SecurityScheme`);
  }
};

function* apiKey({ location, name }: Record<string, unknown>, path: string): Generator<CardFinding> {
  if (location === "header" && typeof name === "string" && name !== "" && !isHeaderName(name)) {
    yield finding("warning", "illegal-header-name", `${path}.name`, {
      message: `is ${quote(name)}, which is not a valid header name, so no client can send the key`,
      fix: "Use a header name of letters, digits and hyphens, such as X-API-Key.",
    });
  }
  if (typeof location !== "string" || ["query", "header", "cookie"].includes(location)) return;
  yield finding("error", "api-key-location", `${path}.location`, {
    message: `is ${quote(location)}; allowed values: query, header, cookie`,
    fix: "Use query, header or cookie, in lower case.",
    rule: "CARD-027",
  });
}

function* httpAuth({ scheme }: Record<string, unknown>, path: string): Generator<CardFinding> {
  if (typeof scheme !== "string" || scheme === "" || registered.has(scheme.toLowerCase())) return;
  yield finding("warning", "unregistered-scheme", `${path}.scheme`, {
    message: `is ${quote(scheme)}, which is not a registered HTTP authentication scheme`,
    fix: "Use a registered scheme such as Bearer, or an apiKeySecurityScheme for your own header.",
    rule: "CARD-028",
  });
}

function* oauth2(scheme: Record<string, unknown>, path: string): Generator<CardFinding> {
  const { flows, oauth2MetadataUrl } = scheme;
  for (const [flow, place] of entriesIn(flows, `${path}.flows`)) {
    const name = place.slice(place.lastIndexOf(".") + 1);
    const rule = flowRules[name];
    if (!rule) continue;
    for (const [member, value] of Object.entries(flow)) {
      if (member.endsWith("Url")) yield* urlMember(value, `${place}.${member}`, rule);
    }
    if (name === "implicit" || name === "password") yield deprecated(name, place);
  }
  yield* metadataUrl(oauth2MetadataUrl, `${path}.oauth2MetadataUrl`);
}

const deprecated = (name: string, path: string): CardFinding =>
  finding("warning", "deprecated-flow", path, {
    message: `declares the ${name} flow, which 1.0 deprecates`,
    fix: "Use authorizationCode with PKCE, or deviceCode.",
    rule: "CARD-034",
  });

function* urlMember(value: unknown, path: string, rule: string): Generator<CardFinding> {
  if (typeof value !== "string" || value === "" || isHttpUrl(value)) return;
  const message = `is ${quote(value)}, not an absolute URL`;
  yield { level: "error", code: "no-absolute-url", path, message, fix: "Write the absolute URL.", rule };
}

function* metadataUrl(value: unknown, path: string): Generator<CardFinding> {
  if (typeof value !== "string" || value === "") return;
  const url = parseUrl(value);
  if (url?.scheme === "https") return;
  yield finding(url?.scheme === "http" && isLoopback(url.host) ? "warning" : "error", "metadata-no-https", path, {
    message: `is ${quote(value)}; clients load the metadata document (RFC 8414) over TLS`,
    fix: "Use its https URL.",
    rule: "CARD-035",
  });
}
