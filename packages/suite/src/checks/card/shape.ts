import type { JsonObject } from "@assay/protocol";
import { asList, asObject, asObjects } from "../../answers/loose-json.ts";
import { type CardCheck, cardCheck } from "../../define/check.ts";
import { breach, holds, isBreach, notApplicable } from "../../define/finding.ts";
import { linted, unlessOlder } from "./lint.ts";

/** Returns why a rule does not apply to a card. */
type Unless = (card: JsonObject) => string | false;

/** A rule about the shape of the card. The linter reports faults under the same id. */
const shape = (id: string, want: string, unless: Unless = () => false): CardCheck =>
  cardCheck(id, {
    judge(card) {
      const older = unlessOlder(card);
      const found = linted(card, id, want);
      // For an older card that claims to be new, only the missing list of interfaces is reported.
      if (older) return id === "CARD-006" && found.some((each) => isBreach(each, "broken")) ? found : older;
      if (found.length) return found;
      const because = unless(card.json);
      return because ? notApplicable(because) : holds();
    },
  });

/** Rules about shape, one row each. */
export const shapeChecks: readonly CardCheck[] = [
  shape("CARD-002", "one JSON object in the shape of the AgentCard message"),
  shape("CARD-003", "name: a string"),
  shape("CARD-004", "description: a string"),
  shape("CARD-005", "version: a string"),
  shape("CARD-006", "supportedInterfaces: an array with at least one object"),
  shape("CARD-007", "capabilities: an object"),
  shape("CARD-008", "defaultInputModes: an array of media types"),
  shape("CARD-009", "defaultOutputModes: an array of media types"),
  shape("CARD-010", "skills: an array of AgentSkill objects"),
  shape("CARD-011", "url: a string that is not empty"),
  shape("CARD-012", "protocolBinding: JSONRPC, GRPC, HTTP+JSON, or the URI of a custom binding"),
  shape("CARD-013", 'protocolVersion: a string such as "1.0"'),
  shape("CARD-015", 'url: "host:port"', (card) => !hasBinding(card, "GRPC") && "the card declares no gRPC interface"),
  shape("CARD-020", "id: a string, unique within the card", noSkills),
  shape("CARD-021", "name and description: strings", noSkills),
  shape("CARD-022", "tags: an array of strings", noSkills),
  shape(
    "CARD-023",
    "inputModes and outputModes: arrays of media types",
    (card) =>
      !skillsOf(card).some((skill) => isSet(skill["inputModes"]) || isSet(skill["outputModes"])) &&
      "no skill declares media types",
  ),
  shape(
    "CARD-024",
    "provider: {url, organization}, both strings",
    (card) => !isSet(card["provider"]) && "the card has no provider",
  ),
  shape(
    "CARD-025",
    "flags such as streaming and pushNotifications: true or false",
    (card) => !asObject(card["capabilities"]) && "the card has no capabilities",
  ),
  shape(
    "CARD-026",
    "exactly one of apiKeySecurityScheme, httpAuthSecurityScheme, oauth2SecurityScheme, openIdConnectSecurityScheme, mtlsSecurityScheme",
    (card) => !isSet(card["securitySchemes"]) && "the card declares no security scheme",
  ),
  shape("CARD-027", "location: query, header or cookie; name: a string", withoutScheme("apiKeySecurityScheme")),
  shape("CARD-028", 'scheme: a registered name such as "Bearer"', withoutScheme("httpAuthSecurityScheme")),
  shape("CARD-029", "flows: an object with one flow", withoutScheme("oauth2SecurityScheme")),
  shape(
    "CARD-030",
    "authorizationUrl and tokenUrl: strings; scopes: an object of strings",
    withoutFlow("authorizationCode"),
  ),
  shape("CARD-031", "tokenUrl: a string; scopes: an object of strings", withoutFlow("clientCredentials")),
  shape(
    "CARD-032",
    "deviceAuthorizationUrl and tokenUrl: strings; scopes: an object of strings",
    withoutFlow("deviceCode"),
  ),
  shape("CARD-033", "openIdConnectUrl: an absolute URL", withoutScheme("openIdConnectSecurityScheme")),
  shape("CARD-034", "authorizationCode, clientCredentials or deviceCode", withoutScheme("oauth2SecurityScheme")),
  shape(
    "CARD-035",
    "oauth2MetadataUrl: an https URL",
    (card) =>
      ![
        ...schemesOf(card, "oauth2SecurityScheme"),
        ...asObjects(Object.values(asObject(card["securitySchemes"]) ?? {})),
      ].some((scheme) => isSet(scheme["oauth2MetadataUrl"])) && "no OAuth scheme has oauth2MetadataUrl",
  ),
  shape("CARD-036", 'securityRequirements: [{"schemes": {"<name>": {"list": [scopes]}}}]'),
  shape("CARD-037", "names that are keys of securitySchemes"),
  shape(
    "CARD-038",
    'securityRequirements: [{"schemes": {"<name>": {"list": [scopes]}}}] with declared names',
    (card) =>
      !skillsOf(card).some((skill) => isSet(skill["securityRequirements"]) || isSet(skill["security"])) &&
      "no skill has security requirements",
  ),
  shape(
    "CARD-041",
    "documentationUrl and iconUrl: absolute URLs",
    (card) =>
      !isSet(card["documentationUrl"]) &&
      !isSet(card["iconUrl"]) &&
      "the card has neither documentationUrl nor iconUrl",
  ),
  shape("EXT-002", "a version in the URI, such as …/ext/geo/v1"),
  // The public card can be read without credentials.
  { ...shape("XCARD-004", "a scheme in securitySchemes"), requires: ["extendedAgentCard"] },
];

function noSkills(card: JsonObject): string | false {
  return skillsOf(card).length === 0 && "the card lists no skill";
}

function withoutScheme(kind: string): Unless {
  return (card) => schemesOf(card, kind).length === 0 && `the card declares no ${kind}`;
}

function withoutFlow(flow: string): Unless {
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

export const extensionsAreDeclared = cardCheck("EXT-001", {
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
export const olderShapeChecks: readonly CardCheck[] = [
  shape("V03-CARD-001", "url: a string"),
  shape("V03-CARD-004", "additionalInterfaces: an array of {url, transport}, both strings", withoutInterfaces),
  shape(
    "V03-CARD-005",
    "JSONRPC, GRPC or HTTP+JSON",
    (card) => withoutInterfaces(card) && !isSet(card["preferredTransport"]) && "the card has no transport",
  ),
  shape(
    "V03-CARD-008",
    "type: apiKey, http, oauth2, openIdConnect or (from 0.3 on) mutualTLS",
    (card) => !isSet(card["securitySchemes"]) && "the card declares no security scheme",
  ),
  shape("V03-CARD-009", "in: header, query or cookie; name: a string", withoutType("apiKey")),
  shape("V03-CARD-010", 'scheme: a name such as "bearer"', withoutType("http")),
  shape(
    "V03-CARD-011",
    "flows: an object; in each flow its URLs as strings and scopes as an object",
    withoutType("oauth2"),
  ),
  shape("V03-CARD-012", "openIdConnectUrl: a string", withoutType("openIdConnect")),
  shape(
    "V03-CARD-013",
    'security: [{"<name>": [scopes]}]',
    (card) => !isSet(card["security"]) && "the card has no security requirement",
  ),
  shape(
    "V03-CARD-014",
    'security: [{"<name>": [scopes]}] with declared names',
    (card) =>
      !asList(card["skills"]).some((skill) => isSet(asObject(skill)?.["security"])) &&
      "no skill has security requirements",
  ),
];

function withoutInterfaces(card: JsonObject): string | false {
  return !isSet(card["additionalInterfaces"]) && "the card lists no additional interface";
}

function withoutType(type: string): Unless {
  return (card) =>
    !Object.values(asObject(card["securitySchemes"]) ?? {}).some((scheme) => asObject(scheme)?.["type"] === type) &&
    `the card declares no scheme of type ${type}`;
}
