import type { JsonObject } from "@assay/protocol";
import { asList, asObject, asObjects } from "../../answers/loose-json.ts";
import { type CardCheck, cardCheck, type FetchedCard } from "../../define/check.ts";
import { breach, type Finding, holds, isBreach, notApplicable } from "../../define/finding.ts";
import type { Requirement } from "../../generated/requires.ts";
import { linted, type Telling, unlessOlder } from "./lint.ts";

/** One rule about the shape of the card. What is wrong, and how much, is what the linter says under the same id. */
interface CardShapeRule extends Telling {
  readonly id: string;
  readonly title: string;
  readonly want: string;
  readonly remedy: string;
  /** what the rule is about, where not every card has it: nothing to judge, and why */
  readonly unless?: (card: JsonObject) => string | false;
  /** preconditions, where the rule's own would hide what it is about */
  readonly requires?: readonly Requirement[];
}

const rows: readonly CardShapeRule[] = [
  {
    id: "CARD-002",
    title: "the members of the card have the types of an AgentCard",
    want: "one JSON object in the shape of the AgentCard message",
    remedy: "Print the card with a ProtoJSON encoder, so that every member has the type that AgentCard gives it.",
  },
  {
    id: "CARD-003",
    title: "the card has a name",
    want: "name: a string",
    remedy: "Give the card a `name`, the string that people know the agent by.",
  },
  {
    id: "CARD-004",
    title: "the card has a description",
    want: "description: a string",
    remedy: "Say in `description` what the agent does.",
  },
  {
    id: "CARD-005",
    title: "the card has the agent's own version",
    want: "version: a string",
    remedy: 'Give the agent\'s own version as a string, as in `"version": "1.4.0"`.',
  },
  {
    id: "CARD-006",
    title: "the card lists at least one interface",
    want: "supportedInterfaces: an array with at least one object",
    remedy:
      "List every interface in `supportedInterfaces` with url, protocolBinding and protocolVersion, the preferred one first.",
  },
  {
    id: "CARD-007",
    title: "the card has capabilities",
    want: "capabilities: an object",
    remedy: "Add `capabilities`; `{}` is enough for an agent without options.",
  },
  {
    id: "CARD-008",
    title: "the card says which media types the agent reads",
    want: "defaultInputModes: an array of media types",
    remedy: 'Give an array of media types, as in `"defaultInputModes": ["text/plain"]`.',
  },
  {
    id: "CARD-009",
    title: "the card says which media types the agent writes",
    want: "defaultOutputModes: an array of media types",
    remedy: 'Give an array of media types, as in `"defaultOutputModes": ["text/plain"]`.',
  },
  {
    id: "CARD-010",
    title: "the card lists skills",
    want: "skills: an array of AgentSkill objects",
    remedy: "Give `skills`, an array with an object for each thing the agent can do.",
  },
  {
    id: "CARD-011",
    title: "every interface has an address",
    want: "url: a string that is not empty",
    remedy: "Give every entry of `supportedInterfaces` the `url` that clients are to call.",
  },
  {
    id: "CARD-012",
    title: "every interface names its binding as the specification spells it",
    want: "protocolBinding: JSONRPC, GRPC, HTTP+JSON, or the URI of a custom binding",
    remedy:
      "Set `protocolBinding` to JSONRPC, GRPC or HTTP+JSON, spelled exactly so, or to the URI of a custom binding.",
  },
  {
    id: "CARD-013",
    title: "every interface has its own protocol version",
    want: 'protocolVersion: a string such as "1.0"',
    remedy: 'Give every entry of `supportedInterfaces` its own `protocolVersion`, as in "1.0".',
  },
  {
    id: "CARD-015",
    title: "the address of a gRPC interface is a host and a port",
    want: 'url: "host:port"',
    remedy: 'Write the `url` of the GRPC interface as host and port, as in "agent.example:443".',
    unless: (card) => !hasBinding(card, "GRPC") && "the card declares no gRPC interface",
  },
  {
    id: "CARD-020",
    title: "every skill has an id that no other skill has",
    want: "id: a string, unique within the card",
    remedy: "Give each skill an `id` of its own.",
    unless: noSkills,
  },
  {
    id: "CARD-021",
    title: "every skill has a name and a description",
    want: "name and description: strings",
    remedy: "Give each skill a `name` and a `description`.",
    unless: noSkills,
  },
  {
    id: "CARD-022",
    title: "every skill has tags",
    want: "tags: an array of strings",
    remedy: "Give each skill `tags`, an array with at least one word.",
    unless: noSkills,
  },
  {
    id: "CARD-023",
    title: "the media types of a skill are lists of media types",
    want: "inputModes and outputModes: arrays of media types",
    remedy: 'Write the `inputModes` and `outputModes` of a skill as arrays of media types, as in ["text/plain"].',
    unless: (card) =>
      !skillsOf(card).some((skill) => isSet(skill["inputModes"]) || isSet(skill["outputModes"])) &&
      "no skill has media types of its own",
  },
  {
    id: "CARD-024",
    title: "the provider has a url and an organization",
    want: "provider: {url, organization}, both strings",
    remedy: "Give `provider` both `url` and `organization`, or leave it out.",
    unless: (card) => !isSet(card["provider"]) && "the card names no provider",
  },
  {
    id: "CARD-025",
    title: "the flags among the capabilities are booleans",
    want: "flags such as streaming and pushNotifications: true or false",
    remedy: "Write the flags as true or false without quotes, or leave them out.",
    unless: (card) => !asObject(card["capabilities"]) && "the card has no capabilities",
  },
  {
    id: "CARD-026",
    title: "every security scheme is one of the five kinds",
    want: "exactly one of apiKeySecurityScheme, httpAuthSecurityScheme, oauth2SecurityScheme, openIdConnectSecurityScheme, mtlsSecurityScheme",
    remedy: 'Wrap each scheme in its kind, as in `{"httpAuthSecurityScheme": {"scheme": "Bearer"}}`.',
    unless: (card) => !isSet(card["securitySchemes"]) && "the card declares no security scheme",
  },
  {
    id: "CARD-027",
    title: "an API key scheme says where the key goes and what it is called",
    want: "location: query, header or cookie; name: a string",
    remedy: "State `location` (query, header or cookie) and `name` in every apiKeySecurityScheme.",
    unless: withoutScheme("apiKeySecurityScheme"),
  },
  {
    id: "CARD-028",
    title: "an HTTP authentication scheme names its scheme",
    want: 'scheme: a registered name such as "Bearer"',
    remedy: 'State `scheme` in every httpAuthSecurityScheme, as in "Bearer".',
    unless: withoutScheme("httpAuthSecurityScheme"),
  },
  {
    id: "CARD-029",
    title: "an OAuth scheme declares its flow",
    want: "flows: an object with one flow",
    remedy: "Give every oauth2SecurityScheme `flows` with exactly one flow; declare one scheme for each flow.",
    unless: withoutScheme("oauth2SecurityScheme"),
  },
  {
    id: "CARD-030",
    title: "an authorization code flow states its URLs and scopes",
    want: "authorizationUrl and tokenUrl: strings; scopes: an object of strings",
    remedy: "State `authorizationUrl`, `tokenUrl` and `scopes` ({} if there are none) in flows.authorizationCode.",
    unless: withoutFlow("authorizationCode"),
  },
  {
    id: "CARD-031",
    title: "a client credentials flow states its URL and scopes",
    want: "tokenUrl: a string; scopes: an object of strings",
    remedy: "State `tokenUrl` and `scopes` ({} if there are none) in flows.clientCredentials.",
    unless: withoutFlow("clientCredentials"),
  },
  {
    id: "CARD-032",
    title: "a device code flow states its URLs and scopes",
    want: "deviceAuthorizationUrl and tokenUrl: strings; scopes: an object of strings",
    remedy: "State `deviceAuthorizationUrl`, `tokenUrl` and `scopes` ({} if there are none) in flows.deviceCode.",
    unless: withoutFlow("deviceCode"),
  },
  {
    id: "CARD-033",
    title: "an OpenID Connect scheme says where its discovery document is",
    want: "openIdConnectUrl: an absolute URL",
    remedy: "Give the address of the discovery document as `openIdConnectUrl`.",
    unless: withoutScheme("openIdConnectSecurityScheme"),
  },
  {
    id: "CARD-034",
    title: "no OAuth scheme uses the deprecated implicit and password flows",
    want: "authorizationCode, clientCredentials or deviceCode",
    remedy: "Move from the implicit or password flow to authorizationCode with PKCE, or to deviceCode.",
    unless: withoutScheme("oauth2SecurityScheme"),
  },
  {
    id: "CARD-035",
    title: "the metadata of an OAuth scheme is at an https address",
    want: "oauth2MetadataUrl: an https URL",
    remedy: "Give the https URL of the RFC 8414 metadata as `oauth2MetadataUrl`, or leave it out.",
    unless: (card) =>
      ![
        ...schemesOf(card, "oauth2SecurityScheme"),
        ...asObjects(Object.values(asObject(card["securitySchemes"]) ?? {})),
      ].some((scheme) => isSet(scheme["oauth2MetadataUrl"])) && "no OAuth scheme names its metadata",
  },
  {
    id: "CARD-036",
    title: "security requirements are written as 1.0 has them",
    want: 'securityRequirements: [{"schemes": {"<name>": {"list": [scopes]}}}]',
    remedy: 'Publish `securityRequirements`: [{"schemes": {"<name>": {"list": []}}}].',
  },
  {
    id: "CARD-037",
    title: "security requirements name schemes that the card declares",
    want: "names that are keys of securitySchemes",
    remedy:
      "Declare every scheme that `securityRequirements` (before 1.0 `security`) names in `securitySchemes`, under that very name.",
  },
  {
    id: "CARD-038",
    title: "the security requirements of a skill are written like those of the card",
    want: 'securityRequirements: [{"schemes": {"<name>": {"list": [scopes]}}}] with declared names',
    remedy: 'Write the `securityRequirements` of a skill as [{"schemes": {"<name>": {"list": []}}}].',
    unless: (card) =>
      !skillsOf(card).some((skill) => isSet(skill["securityRequirements"]) || isSet(skill["security"])) &&
      "no skill has security requirements of its own",
  },
  {
    id: "CARD-041",
    title: "the links on the card are absolute URLs",
    want: "documentationUrl and iconUrl: absolute URLs",
    remedy: "Write `documentationUrl` and `iconUrl` as whole URLs, or leave them out.",
    unless: (card) =>
      !isSet(card["documentationUrl"]) &&
      !isSet(card["iconUrl"]) &&
      "the card has neither documentationUrl nor iconUrl",
  },
  {
    id: "EXT-002",
    title: "the URI of an extension contains its version",
    want: "a version in the URI, as in …/ext/geo/v1",
    remedy: "Put the version into the `uri` of the extension, as in …/ext/geo/v1.",
  },
  {
    id: "XCARD-004",
    title: "an agent with an extended card says how to authenticate for it",
    want: "a scheme in securitySchemes",
    remedy: "Declare in `securitySchemes` how to authenticate for the extended card, or announce none.",
    // What the public card says can be read without credentials.
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

// ProtoJSON readers take null for absent.
const isSet = (value: unknown): boolean => value !== undefined && value !== null;

const skillsOf = (card: JsonObject): readonly JsonObject[] => asObjects(card["skills"]);

const schemesOf = (card: JsonObject, kind: string): readonly JsonObject[] =>
  asObjects(Object.values(asObject(card["securitySchemes"]) ?? {}).map((scheme) => asObject(scheme)?.[kind]));

const hasBinding = (card: JsonObject, binding: string): boolean =>
  asObjects(card["supportedInterfaces"]).some((entry) => entry["protocolBinding"] === binding);

function judge(row: CardShapeRule, card: FetchedCard): Finding | readonly Finding[] {
  const older = unlessOlder(card);
  const found = linted(card, row.id, row.want, row);
  // That the list of interfaces is missing is all there is to say about an old shape that calls itself new.
  if (older) return row.id === "CARD-006" && found.some((each) => isBreach(each, "broken")) ? found : older;
  if (found.length) return found;
  const because = row.unless?.(card.json);
  return because ? notApplicable(because) : holds();
}

const shapeCheck = (row: CardShapeRule): CardCheck =>
  cardCheck({
    id: row.id,
    title: row.title,
    remedy: row.remedy,
    ...(row.requires && { requires: row.requires }),
    judge: (card) => judge(row, card),
  });

/** Rules about mere shape: a row each. */
export const shapeChecks: readonly CardCheck[] = rows.map(shapeCheck);

export const extensionsAreDeclared = cardCheck({
  id: "EXT-001",
  title: "extensions are declared as objects with a URI",
  remedy: "List each extension in `capabilities.extensions` as {uri, description, required, params}.",
  // Extensions that are no objects are what the rule is about; the facts know only those that are.
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
      "extensions are listed at the top of the card, where clients do not look for them",
      { want },
    );
  },
});

/** What cards before 1.0 write otherwise: one address at the top, others beside it, and security as OpenAPI has it. */
const olderRows: readonly CardShapeRule[] = [
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

export const olderShapeChecks: readonly CardCheck[] = olderRows.map(shapeCheck);
