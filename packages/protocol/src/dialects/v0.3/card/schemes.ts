import { defined } from "../../../defined.ts";
import type { AgentSkill, SecurityScheme } from "../../../model.ts";
import type { ReadingPlace } from "../../place.ts";
import { has, type Release } from "../../releases.ts";

type Requirement = NonNullable<AgentSkill["securityRequirements"]>[number];

/** `[{name: [scopes]}]` as in OpenAPI; 1.0 writes `[{schemes: {name: {list: [scopes]}}}]`. Nothing is lost. */
export type RequirementShape = Readonly<Record<string, string[]>>;

/** Three split schemes in one requirement give 64 alternatives. Further alternatives of a hostile card are dropped. */
const maxAlternatives = 64;

/** Any part of a split scheme satisfies a requirement, so each part becomes an alternative. */
export const readRequirements = (
  requirements: readonly RequirementShape[],
  namesOf: (name: string) => readonly string[],
): Requirement[] => requirements.flatMap((requirement) => alternatives(Object.entries(requirement), namesOf));

function alternatives(entries: [string, string[]][], namesOf: (name: string) => readonly string[]): Requirement[] {
  let choices: [string, { list: string[] }][][] = [[]];
  for (const [name, list] of entries) {
    const all = namesOf(name);
    const names = choices.length * all.length > maxAlternatives ? all.slice(0, 1) : all;
    choices = choices.flatMap((choice) => names.map((own): typeof choice => [...choice, [own, { list }]]));
  }
  return choices.map((choice) => ({ schemes: Object.fromEntries(choice) }));
}

export const writeRequirements = (requirements: readonly Requirement[]): RequirementShape[] =>
  requirements.map(({ schemes = {} }) =>
    Object.fromEntries(Object.entries(schemes).map(([name, { list = [] }]) => [name, list])),
  );

type OAuthFlows = NonNullable<SecurityScheme["oauth2SecurityScheme"]>["flows"];

/** The OAuth flows of 0.2 and 0.3. `deviceCode` and `pkceRequired` came with 1.0. */
type FlowsShape = { readonly [kind in FlowKind]?: FlowShape };

/** The schema determines which URLs a flow has. */
interface FlowShape {
  readonly authorizationUrl?: string;
  readonly tokenUrl?: string;
  readonly refreshUrl?: string;
  readonly scopes: Record<string, string>;
}

const kinds = ["authorizationCode", "clientCredentials", "implicit", "password"] as const;
type FlowKind = (typeof kinds)[number];

/** Returns each flow separately, in the order of 1.0's definition. */
const readFlows = (flows: FlowsShape): [FlowKind, OAuthFlows][] =>
  kinds.flatMap((kind): [FlowKind, OAuthFlows][] => {
    const flow = flows[kind];
    if (!flow) return [];
    const { authorizationUrl, tokenUrl, refreshUrl, scopes } = flow;
    return [[kind, { [kind]: defined({ authorizationUrl, tokenUrl, refreshUrl, scopes }) }]];
  });

/** Returns undefined if there is only the device flow, which older dialects lack. */
export function writeFlows({
  authorizationCode,
  clientCredentials,
  implicit,
  password,
}: OAuthFlows): FlowsShape | undefined {
  if (authorizationCode) {
    const { pkceRequired: _, ...flow } = authorizationCode;
    return { authorizationCode: flow };
  }
  if (clientCredentials) return { clientCredentials };
  // The older schema requires members that 1.0 makes optional in its two deprecated flows.
  if (implicit) return { implicit: { authorizationUrl: "", scopes: {}, ...implicit } };
  if (password) return { password: { tokenUrl: "", scopes: {}, ...password } };
  return undefined;
}

/**
 * Security schemes as in OpenAPI: a flat object with a `type`, while 1.0 wraps each kind in a member.
 *
 * Lost on output: a scheme whose only flow is `deviceCode`, `pkceRequired`, and in 0.2 mutual TLS and
 * `oauth2MetadataUrl`. A scheme with several OAuth flows becomes several schemes, because 1.0 allows one flow each;
 * `readRequirements` lets every requirement choose among them.
 */
export type SchemeShape = { readonly description?: string } & (
  | { readonly type: "apiKey"; readonly in: string; readonly name: string }
  | { readonly type: "http"; readonly scheme: string; readonly bearerFormat?: string }
  | { readonly type: "oauth2"; readonly flows: FlowsShape; readonly oauth2MetadataUrl?: string }
  | { readonly type: "openIdConnect"; readonly openIdConnectUrl: string }
  | { readonly type: "mutualTLS" }
);

interface ReadSchemes {
  readonly schemes: Record<string, SecurityScheme>;
  /** the new names of an old scheme, its own first */
  readonly namesOf: (name: string) => readonly string[];
}

export function readSchemes(shapes: Readonly<Record<string, SchemeShape>>, place: ReadingPlace): ReadSchemes {
  const taken = new Set(Object.keys(shapes));
  const split = new Map<string, string[]>();
  const entries = Object.entries(shapes).flatMap(([name, shape]): [string, SecurityScheme][] => {
    if (shape.type !== "oauth2") return [[name, readScheme(shape)]];
    const { description, oauth2MetadataUrl } = shape;
    const flows = readFlows(shape.flows);
    if (!flows.length) place.at(name).note("has no OAuth flow; ignored, because 1.0 needs exactly one");
    return flows.map(([kind, alone], index) => {
      const own = index === 0 ? name : freeName(`${name}.${kind}`, taken);
      split.set(name, [...(split.get(name) ?? []), own]);
      return [own, { oauth2SecurityScheme: defined({ description, flows: alone, oauth2MetadataUrl }) }];
    });
  });
  // Object.fromEntries, unlike assignment, keeps a scheme named `__proto__`.
  return { schemes: Object.fromEntries(entries), namesOf: (name) => split.get(name) ?? [name] };
}

function freeName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  while (taken.has(name)) name += "_";
  taken.add(name);
  return name;
}

function readScheme(shape: Exclude<SchemeShape, { type: "oauth2" }>): SecurityScheme {
  const { description } = shape;
  switch (shape.type) {
    case "apiKey":
      return { apiKeySecurityScheme: defined({ description, location: shape.in, name: shape.name }) };
    case "http": {
      const { scheme, bearerFormat } = shape;
      return { httpAuthSecurityScheme: defined({ description, scheme, bearerFormat }) };
    }
    case "openIdConnect":
      return { openIdConnectSecurityScheme: defined({ description, openIdConnectUrl: shape.openIdConnectUrl }) };
    case "mutualTLS":
      return { mtlsSecurityScheme: defined({ description }) };
  }
}

export function writeSchemes(
  schemes: Readonly<Record<string, SecurityScheme>>,
  release: Release,
): Record<string, SchemeShape> {
  const written = Object.entries(schemes).map(([name, scheme]) => [name, writeScheme(scheme, release)] as const);
  return Object.fromEntries(written.filter((entry): entry is [string, SchemeShape] => entry[1] !== undefined));
}

function writeScheme(scheme: SecurityScheme, release: Release): SchemeShape | undefined {
  const { apiKeySecurityScheme, httpAuthSecurityScheme, oauth2SecurityScheme, openIdConnectSecurityScheme } = scheme;
  if (apiKeySecurityScheme) {
    const { description, location, name } = apiKeySecurityScheme;
    return defined({ type: "apiKey", description, in: location, name });
  }
  if (httpAuthSecurityScheme) return { type: "http", ...httpAuthSecurityScheme };
  if (openIdConnectSecurityScheme) return { type: "openIdConnect", ...openIdConnectSecurityScheme };
  if (oauth2SecurityScheme) {
    const { description, oauth2MetadataUrl, flows } = oauth2SecurityScheme;
    const written = writeFlows(flows);
    return (
      written &&
      defined({
        type: "oauth2",
        description,
        flows: written,
        oauth2MetadataUrl: has(release, "oauth2MetadataUrl") ? oauth2MetadataUrl : undefined,
      })
    );
  }
  return has(release, "mutualTls") ? { type: "mutualTLS", ...scheme.mtlsSecurityScheme } : undefined;
}
