import {
  fails,
  isObject,
  noCard,
  objectIn,
  passes,
  type RunEvidence,
  type StepVerdict,
  unconcerned,
} from "./evidence.ts";

/** Steps 1.1 to 1.5: the requirements of the procedure for the Agent Card. */

type Card = NonNullable<RunEvidence["card"]>;

export const isAvailable = ({ card }: RunEvidence): readonly StepVerdict[] => (card ? [passes] : noCard);

export const hasRequiredFields = ({ card }: RunEvidence): readonly StepVerdict[] =>
  card
    ? told(
        ["name", "description", "url", "skills"].filter((name) => !hasField(card, name)),
        "missing",
      )
    : noCard;

/** Returns true if the card has a field. From 1.0 on, the address is in `supportedInterfaces`. */
const hasField = (card: Card, name: string): boolean =>
  card[name] !== undefined ||
  (name === "url" && listIn(card, "supportedInterfaces").some((each) => isObject(each) && each["url"] !== undefined));

export function hasWholeSkills({ card }: RunEvidence): readonly StepVerdict[] {
  if (!card) return noCard;
  const gaps = listIn(card, "skills").flatMap((skill, index) => {
    const name = isObject(skill) && typeof skill["id"] === "string" ? skill["id"] : `skills[${index}]`;
    return skillMembers
      .filter((member) => !isFilled(isObject(skill) ? skill[member] : undefined))
      .map((member) => `${name}.${member}`);
  });
  return told(gaps, "missing");
}

const skillMembers = ["id", "name", "description", "inputModes", "outputModes"];

const isFilled = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : typeof value === "string" && value !== "";

/** In 0.1 `authentication.credentials` explains the schemes, later the schemes explain themselves. */
export function explainsLogin({ card }: RunEvidence): readonly StepVerdict[] {
  if (!card) return noCard;
  const login = objectIn(card, "authentication");
  const names = [login?.["schemes"]].flat().filter((name) => typeof name === "string");
  const schemes = Object.entries(objectIn(card, "securitySchemes") ?? {});
  if (names.length === 0 && schemes.length === 0) return [unconcerned("the card declares no authentication")];
  return told(
    [...gapsIn01(login, names), ...schemes.flatMap(([name, scheme]) => gapsInScheme(name, scheme))],
    "missing",
  );
}

function gapsIn01(login: Card | undefined, names: readonly string[]): string[] {
  const credentials = credentialsIn(login?.["credentials"]);
  const asked = [
    { scheme: "oauth2", member: "tokenUrl" },
    { scheme: "apiKey", member: "headerName" },
  ];
  return asked
    .filter(({ scheme }) => names.some((name) => name.toLowerCase() === scheme.toLowerCase()))
    .filter(({ scheme, member }) => !isFilled(objectIn(credentials, scheme)?.[member]))
    .map(({ scheme, member }) => `authentication.credentials.${scheme}.${member}`);
}

/** Reads the credentials of 0.1: a string, which may hold JSON, or an object as in guides of that time. */
function credentialsIn(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

function gapsInScheme(name: string, scheme: unknown): string[] {
  const place = `securitySchemes.${name}`;
  const type = isObject(scheme) ? scheme["type"] : undefined;
  const oauth =
    objectIn(scheme, "oauth2SecurityScheme") ?? (type === "oauth2" && isObject(scheme) ? scheme : undefined);
  const key = objectIn(scheme, "apiKeySecurityScheme") ?? (type === "apiKey" && isObject(scheme) ? scheme : undefined);
  if (key) return isFilled(key["name"]) ? [] : [`${place}.name`];
  if (!oauth) return [];
  const flows = Object.entries(objectIn(oauth, "flows") ?? {});
  if (flows.length === 0) return [`${place}.flows`];
  // The implicit flow has no token endpoint.
  return flows
    .filter(([flow, value]) => flow !== "implicit" && !isFilled(isObject(value) ? value["tokenUrl"] : undefined))
    .map(([flow]) => `${place}.flows.${flow}.tokenUrl`);
}

export function hasBooleanCapabilities({ card }: RunEvidence): readonly StepVerdict[] {
  if (!card) return noCard;
  const flags = Object.entries(objectIn(card, "capabilities") ?? {}).filter(([name]) => name !== "extensions");
  return told(
    flags.filter(([, value]) => typeof value !== "boolean").map(([name]) => `capabilities.${name}`),
    "not a boolean",
  );
}

const listIn = (card: Card, member: string): readonly unknown[] => {
  const value = card[member];
  return Array.isArray(value) ? value : [];
};

const told = (places: readonly string[], what: string): readonly StepVerdict[] =>
  places.length
    ? [fails(`${what}: ${places.slice(0, 8).join(", ")}${places.length > 8 ? ` and ${places.length - 8} more` : ""}`)]
    : [passes];
