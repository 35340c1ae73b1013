import type { JsonObject } from "@assay/protocol";
import { asList, asObject, asObjects } from "../../answers/loose-json.ts";
import { type CardCheck, cardCheck, type FetchedCard } from "../../define/check.ts";
import { breach, type Finding, holds, isBreach, notApplicable } from "../../define/finding.ts";
import type { Requirement } from "../../generated/requires.ts";
import { linted, type Telling, unlessOlder } from "./lint.ts";

/** A rule about the shape of the card. The linter reports faults under the same id. */
interface CardShapeRule extends Telling {
  readonly id: string;
  readonly want: string;
  /** why the rule does not apply to this card */
  readonly unless?: (card: JsonObject) => string | false;
  /** preconditions, if those of the rule would hide its subject */
  readonly requires?: readonly Requirement[];
}

const rows: readonly CardShapeRule[] = [
  {
    id: "CARD-002",
    want: "one JSON object in the shape of the AgentCard message",
  },
  {
    id: "CARD-003",
    want: "name: a string",
  },
  {
    id: "CARD-004",
    want: "description: a string",
  },
  {
    id: "CARD-005",
    want: "version: a string",
  },
  {
    id: "CARD-006",
    want: "supportedInterfaces: an array with at least one object",
  },
  {
    id: "CARD-007",
    want: "capabilities: an object",
  },
  {
    id: "CARD-008",
    want: "defaultInputModes: an array of media types",
  },
  {
    id: "CARD-009",
    want: "defaultOutputModes: an array of media types",
  },
  {
    id: "CARD-010",
    want: "skills: an array of AgentSkill objects",
  },
  {
    id: "CARD-011",
    want: "url: a string that is not empty",
  },
  {
    id: "CARD-012",
    want: "protocolBinding: JSONRPC, GRPC, HTTP+JSON, or the URI of a custom binding",
  },
  {
    id: "CARD-013",
    want: 'protocolVersion: a string such as "1.0"',
  },
  {
    id: "CARD-015",
    want: 'url: "host:port"',
    unless: (card) => !hasBinding(card, "GRPC") && "the card declares no gRPC interface",
  },
  {
    id: "CARD-020",
    want: "id: a string, unique within the card",
    unless: noSkills,
  },
  {
    id: "CARD-021",
    want: "name and description: strings",
    unless: noSkills,
  },
  {
    id: "CARD-022",
    want: "tags: an array of strings",
    unless: noSkills,
  },
  {
    id: "CARD-023",
    want: "inputModes and outputModes: arrays of media types",
    unless: (card) =>
      !skillsOf(card).some((skill) => isSet(skill["inputModes"]) || isSet(skill["outputModes"])) &&
      "no skill declares media types",
  },
  {
    id: "CARD-024",
    want: "provider: {url, organization}, both strings",
    unless: (card) => !isSet(card["provider"]) && "the card has no provider",
  },
  {
    id: "CARD-025",
    want: "flags such as streaming and pushNotifications: true or false",
    unless: (card) => !asObject(card["capabilities"]) && "the card has no capabilities",
  },
  {
    id: "CARD-026",
    want: "exactly one of apiKeySecurityScheme, httpAuthSecurityScheme, oauth2SecurityScheme, openIdConnectSecurityScheme, mtlsSecurityScheme",
    unless: (card) => !isSet(card["securitySchemes"]) && "the card declares no security scheme",
  },
  {
    id: "CARD-027",
    want: "location: query, header or cookie; name: a string",
    unless: withoutScheme("apiKeySecurityScheme"),
  },
  {
    id: "CARD-028",
    want: 'scheme: a registered name such as "Bearer"',
    unless: withoutScheme("httpAuthSecurityScheme"),
  },
  {
    id: "CARD-029",
    want: "flows: an object with one flow",
    unless: withoutScheme("oauth2SecurityScheme"),
  },
  {
    id: "CARD-030",
    want: "authorizationUrl and tokenUrl: strings; scopes: an object of strings",
    unless: withoutFlow("authorizationCode"),
  },
  {
    id: "CARD-031",
    want: "tokenUrl: a string; scopes: an object of strings",
    unless: withoutFlow("clientCredentials"),
  },
  {
    id: "CARD-032",
    want: "deviceAuthorizationUrl and tokenUrl: strings; scopes: an object of strings",
    unless: withoutFlow("deviceCode"),
  },
  {
    id: "CARD-033",
    want: "openIdConnectUrl: an absolute URL",
    unless: withoutScheme("openIdConnectSecurityScheme"),
  },
  {
    id: "CARD-034",
    want: "authorizationCode, clientCredentials or deviceCode",
    unless: withoutScheme("oauth2SecurityScheme"),
  },
  {
    id: "CARD-035",
    want: "oauth2MetadataUrl: an https URL",
    unless: (card) =>
      ![
        ...schemesOf(card, "oauth2SecurityScheme"),
        ...asObjects(Object.values(asObject(card["securitySchemes"]) ?? {})),
      ].some((scheme) => isSet(scheme["oauth2MetadataUrl"])) && "no OAuth scheme has oauth2MetadataUrl",
  },
  {
    id: "CARD-036",
    want: 'securityRequirements: [{"schemes": {"<name>": {"list": [scopes]}}}]',
  },
  {
    id: "CARD-037",
    want: "names that are keys of securitySchemes",
  },
  {
    id: "CARD-038",
    want: 'securityRequirements: [{"schemes": {"<name>": {"list": [scopes]}}}] with declared names',
    unless: (card) =>
      !skillsOf(card).some((skill) => isSet(skill["securityRequirements"]) || isSet(skill["security"])) &&
      "no skill has security requirements",
  },
  {
    id: "CARD-041",
    want: "documentationUrl and iconUrl: absolute URLs",
    unless: (card) =>
      !isSet(card["documentationUrl"]) &&
      !isSet(card["iconUrl"]) &&
      "the card has neither documentationUrl nor iconUrl",
  },
  {
    id: "EXT-002",
    want: "a version in the URI, such as …/ext/geo/v1",
  },
  {
    id: "XCARD-004",
    want: "a scheme in securitySchemes",
    // The public card can be read without credentials.
    requires: ["extendedAgentCard"],
  },
];

function noSkills(card: JsonObject): string | false {
  return skillsOf(card).length === 0 && "the card lists no skill";
}

function withoutScheme(kind: string): (card: JsonObject) => string | false {
  return (card) => schemesOf(card, kind).length === 0 && `the card declares no ${kind}`;
}

function withoutFlow(flow: string): (card: JsonObject) => string | false {
  return (card) =>
    !schemesOf(card, "oauth2SecurityScheme").some((scheme) => isSet(asObject(scheme["flows"])?.[flow])) &&
    `the card declares no ${flow} flow`;
}

// ProtoJSON readers treat null as absent.
const isSet = (value: unknown): boolean => value !== undefined && value !== null;

const skillsOf = (card: JsonObject): readonly JsonObject[] => asObjects(card["skills"]);

const schemesOf = (card: JsonObject, kind: string): readonly JsonObject[] =>
  asObjects(Object.values(asObject(card["securitySchemes"]) ?? {}).map((scheme) => asObject(scheme)?.[kind]));

const hasBinding = (card: JsonObject, binding: string): boolean =>
  asObjects(card["supportedInterfaces"]).some((entry) => entry["protocolBinding"] === binding);

function judge(row: CardShapeRule, card: FetchedCard): Finding | readonly Finding[] {
  const older = unlessOlder(card);
  const found = linted(card, row.id, row.want, row);
  // For an older card that claims to be new, only the missing list of interfaces is reported.
  if (older) return row.id === "CARD-006" && found.some((each) => isBreach(each, "broken")) ? found : older;
  if (found.length) return found;
  const because = row.unless?.(card.json);
  return because ? notApplicable(because) : holds();
}

const shapeCheck = (row: CardShapeRule): CardCheck =>
  cardCheck({
    id: row.id,
    ...(row.requires && { requires: row.requires }),
    judge: (card) => judge(row, card),
  });

/** Rules about shape, one row each. */
export const shapeChecks: readonly CardCheck[] = rows.map(shapeCheck);

export const extensionsAreDeclared = cardCheck({
  id: "EXT-001",
  // Also covers extensions that are not objects, which the facts do not include.
  requires: [],
  judge(card) {
    const want = "capabilities.extensions: an array of {uri, description, required, params}";
    const older = unlessOlder(card);
    if (older) return older;
    const found = linted(card, "EXT-001", want);
    if (found.length) return found;
    const declared = asObject(card.json["capabilities"])?.["extensions"];
    if (isSet(declared)) return holds();
    if (!isSet(card.json["extensions"])) return notApplicable("the card declares no extension");
    // Unknown members are legal, and this one may mean something else.
    return breach(
      "extensions-at-the-top",
      "the card lists extensions at the top level, where clients do not look for them",
      { want },
    );
  },
});

/** Members that differ before 1.0: one address at the top, others beside it, and security in OpenAPI form. */
const olderRows: readonly CardShapeRule[] = [
  {
    id: "V03-CARD-001",
    want: "url: a string",
  },
  {
    id: "V03-CARD-004",
    want: "additionalInterfaces: an array of {url, transport}, both strings",
    unless: withoutInterfaces,
  },
  {
    id: "V03-CARD-005",
    want: "JSONRPC, GRPC or HTTP+JSON",
    unless: (card) => withoutInterfaces(card) && !isSet(card["preferredTransport"]) && "the card has no transport",
  },
  {
    id: "V03-CARD-008",
    want: "type: apiKey, http, oauth2, openIdConnect or (from 0.3 on) mutualTLS",
    unless: (card) => !isSet(card["securitySchemes"]) && "the card declares no security scheme",
  },
  {
    id: "V03-CARD-009",
    want: "in: header, query or cookie; name: a string",
    unless: withoutType("apiKey"),
  },
  {
    id: "V03-CARD-010",
    want: 'scheme: a name such as "bearer"',
    unless: withoutType("http"),
  },
  {
    id: "V03-CARD-011",
    want: "flows: an object; in each flow its URLs as strings and scopes as an object",
    unless: withoutType("oauth2"),
  },
  {
    id: "V03-CARD-012",
    want: "openIdConnectUrl: a string",
    unless: withoutType("openIdConnect"),
  },
  {
    id: "V03-CARD-013",
    want: 'security: [{"<name>": [scopes]}]',
    unless: (card) => !isSet(card["security"]) && "the card has no security requirement",
  },
  {
    id: "V03-CARD-014",
    want: 'security: [{"<name>": [scopes]}] with declared names',
    unless: (card) =>
      !asList(card["skills"]).some((skill) => isSet(asObject(skill)?.["security"])) &&
      "no skill has security requirements",
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

export const olderShapeChecks: readonly CardCheck[] = olderRows.map(shapeCheck);
