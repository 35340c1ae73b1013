import type { JsonObject } from "@assay/protocol";
import { asList, asObject } from "../../answers/reading.ts";
import type { CardCheck } from "../../define/check.ts";
import { type CardShapeRule, shapeCheck } from "./shape.ts";

/** What cards before 1.0 write otherwise: one address at the top, others beside it, and security as OpenAPI has it. */
const rows: readonly CardShapeRule[] = [
  {
    id: "V03-CARD-001",
    title: "the card has the address of the agent",
    want: "url: a string",
    remedy: "Give the address that clients are to call as `url` at the top of the card.",
  },
  {
    id: "V03-CARD-004",
    title: "every additional interface has an address and a transport",
    want: "additionalInterfaces: an array of {url, transport}, both strings",
    remedy: 'List each further interface as `{"url": "…", "transport": "HTTP+JSON"}`.',
    unless: withoutInterfaces,
  },
  {
    id: "V03-CARD-005",
    title: "transports are spelled as the specification has them",
    want: "JSONRPC, GRPC or HTTP+JSON",
    remedy: "Spell `preferredTransport` and each `transport` JSONRPC, GRPC or HTTP+JSON.",
    unless: (card) => withoutInterfaces(card) && !isSet(card["preferredTransport"]) && "the card names no transport",
  },
  {
    id: "V03-CARD-008",
    title: "every security scheme has a type that is known",
    want: "type: apiKey, http, oauth2, openIdConnect or (from 0.3 on) mutualTLS",
    remedy: 'Give each scheme its `type`, as in `{"type": "http", "scheme": "bearer"}`.',
    unless: (card) => !isSet(card["securitySchemes"]) && "the card declares no security scheme",
  },
  {
    id: "V03-CARD-009",
    title: "an API key scheme says where the key goes and what it is called",
    want: "in: header, query or cookie; name: a string",
    remedy: "State `in` (header, query or cookie) and `name` in every scheme of type apiKey.",
    unless: withoutType("apiKey"),
  },
  {
    id: "V03-CARD-010",
    title: "an HTTP authentication scheme names its scheme",
    want: 'scheme: a name such as "bearer"',
    remedy: 'State `scheme` in every scheme of type http, as in "bearer".',
    unless: withoutType("http"),
  },
  {
    id: "V03-CARD-011",
    title: "an OAuth scheme declares its flows with their URLs and scopes",
    want: "flows: an object; in each flow its URLs as strings and scopes as an object",
    remedy: "Give every scheme of type oauth2 `flows`, and each flow its URLs and `scopes` ({} if there are none).",
    unless: withoutType("oauth2"),
  },
  {
    id: "V03-CARD-012",
    title: "an OpenID Connect scheme says where its discovery document is",
    want: "openIdConnectUrl: a string",
    remedy: "Give the address of the discovery document as `openIdConnectUrl`.",
    unless: withoutType("openIdConnect"),
  },
  {
    id: "V03-CARD-013",
    title: "security requirements are lists of scopes by the names of schemes",
    want: 'security: [{"<name>": [scopes]}]',
    remedy: 'Write `security` as `[{"<name>": []}]`, an object for each alternative.',
    unless: (card) => !isSet(card["security"]) && "the card states no security requirement",
  },
  {
    id: "V03-CARD-014",
    title: "the security requirements of a skill are written like those of the card",
    want: 'security: [{"<name>": [scopes]}] with declared names',
    remedy: 'Write the `security` of a skill as `[{"<name>": []}]`, with names that securitySchemes has.',
    unless: (card) =>
      !asList(card["skills"]).some((skill) => isSet(asObject(skill)?.["security"])) &&
      "no skill has security requirements of its own",
  },
];

function withoutInterfaces(card: JsonObject): string | false {
  return !isSet(card["additionalInterfaces"]) && "the card lists no additional interface";
}

function withoutType(type: string): (card: JsonObject) => string | false {
  return (card) =>
    !Object.values(asObject(card["securitySchemes"]) ?? {}).some((scheme) => asObject(scheme)?.["type"] === type) &&
    `the card declares no scheme of type ${type}`;
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null;

export const olderShapeChecks: readonly CardCheck[] = rows.map(shapeCheck);
