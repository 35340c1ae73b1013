import type { AgentCard, SecurityRequirement } from "../generated/model.ts";
import { isObject, type JsonObject, type JsonValue } from "../json.ts";
import { type ClientChange, type ComparedCard, change, everyone, sameJson, sortedText } from "./client-change.ts";
import { quote } from "./finding.ts";

/** The requirements of a card or a skill, and the card that defines their schemes. */
type Login = readonly [
  holder: { readonly securityRequirements?: readonly SecurityRequirement[] },
  card: Pick<AgentCard, "securitySchemes">,
];

export function* securityChanges({ card: old }: ComparedCard, { card: next }: ComparedCard): Iterable<ClientChange> {
  yield* loginChanges("$.securityRequirements", "the agent", [old, old], [next, next]);
  const schemesIn = ({ securitySchemes }: AgentCard): ReadonlyMap<string, Meaning> =>
    new Map(Object.entries(securitySchemes ?? {}).map(([name, scheme]) => [name, meaningOf(scheme)]));
  const [before, after] = [schemesIn(old), schemesIn(next)];
  const path = "$.securitySchemes";
  const covers = (scheme: Meaning, all: typeof before): boolean =>
    [...all.values()].some((each) => isSchemeKept(scheme, each));
  for (const [name, scheme] of before) {
    if (covers(scheme, after)) continue;
    const users = `clients that log in with ${quote(name)}`;
    if (after.has(name))
      yield change("scheme-changed", `${path}.${name}`, `The security scheme ${quote(name)} is different.`, users);
    else yield change("scheme-removed", path, `The security scheme ${quote(name)} is gone.`, users);
  }
  for (const [name, scheme] of after)
    if (!before.has(name) && !covers(scheme, before))
      yield change("scheme-added", path, `The card declares the security scheme ${quote(name)}.`, everyone);
}

/** A client that met one of the old alternatives must meet one of the new ones. */
export function* loginChanges(path: string, who: string, old: Login, next: Login): Iterable<ClientChange> {
  const [before, after] = [alternativesOf(old), alternativesOf(next)];
  const isMet = (held: Alternative, wanted: Alternative): boolean =>
    wanted.every(({ scheme, scopes }) =>
      held.some((each) => isSchemeKept(each.scheme, scheme) && scopes.every((scope) => each.scopes.includes(scope))),
    );
  const had = before.some((each) => each.length === 0);
  const has = after.some((each) => each.length === 0);
  if (had && !has) {
    const message = `${capital(who)} requires a login: ${eitherOf(after)}.`;
    yield change("login-added", path, message, "clients without credentials");
    return;
  }
  if (!had && has) {
    const message = `${capital(who)} no longer requires a login. Check that this is intended.`;
    yield change("login-no-longer-required", path, message, "none, but everyone can use the agent now");
    return;
  }
  const isLess = (less: Alternative, than: Alternative): boolean =>
    isMet(than, less) &&
    !than.every(({ scheme, scopes }) =>
      less.some((each) => isSameKind(each.scheme, scheme) && scopes.every((scope) => each.scopes.includes(scope))),
    );
  const stranded = before.filter((held) => !after.some((wanted) => isMet(held, wanted)));
  for (const held of stranded) {
    const isRedefined = after.some((wanted) => namesOf(wanted) === namesOf(held));
    const message = isRedefined
      ? `A login with ${namesOf(held)} works differently now: the card changed the security scheme.`
      : `A login with ${namesOf(held)} is no longer enough for ${who}. It requires ${eitherOf(after)}.`;
    yield change("login-changed", path, message, `clients that log in with ${namesOf(held)}`);
  }
  for (const wanted of after)
    if (
      before.some((held) => isLess(wanted, held)) &&
      !before.some((held) => isMet(held, wanted) && !isLess(wanted, held))
    )
      yield change(
        "login-relaxed",
        path,
        `${capital(who)} accepts less than before: a login with ${namesOf(wanted)}. Check that this is intended.`,
        "none, but more clients can use the agent now",
      );
  for (const wanted of after)
    if (stranded.length === 0 && !before.some((held) => isMet(held, wanted)))
      yield change("login-alternative-added", path, `${capital(who)} accepts ${namesOf(wanted)}, too.`, everyone);
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Schemes that a client needs together. Empty if it needs none. */
type Alternative = readonly { readonly name: string; readonly scheme: Meaning; readonly scopes: readonly string[] }[];

function alternativesOf([holder, card]: Login): readonly Alternative[] {
  const listed = holder.securityRequirements ?? [];
  if (listed.length === 0) return [[]];
  return listed.map(({ schemes }) =>
    Object.entries(schemes ?? {}).map(([name, { list = [] }]) => {
      const scheme = card.securitySchemes?.[name];
      // A scheme that the card does not define is known by its name alone.
      return { name, scheme: meaningOf(scheme ?? name), scopes: list };
    }),
  );
}

const namesOf = (alternative: Alternative): string =>
  alternative
    .map(({ name, scopes }) => quote(name) + (scopes.length ? ` (scopes ${scopes.map(quote).join(", ")})` : ""))
    .join(" and ");

/** Limits the logins in one message. A hostile card may list thousands. */
const mostLogins = 5;

const eitherOf = (logins: readonly Alternative[]): string => {
  const more = logins.length - mostLogins;
  return logins.slice(0, mostLogins).map(namesOf).join(", or ") + (more > 0 ? `, or one of ${more} more` : "");
};

/** A scheme without its name, which is local to a card. A card may have thousands, so each text is made once. */
interface Meaning {
  readonly text: string;
  /** the flows of an OAuth 2.0 scheme */
  readonly flows?: JsonObject;
}

function meaningOf(scheme: unknown): Meaning {
  if (!isObject(scheme)) return { text: JSON.stringify(scheme) };
  const kept = withoutTexts(scheme as JsonObject);
  const oauth = kept["oauth2SecurityScheme"];
  const flows = isObject(oauth) ? oauth["flows"] : undefined;
  return { text: sortedText(kept), ...(isObject(flows) && { flows: flows as JsonObject }) };
}

/** Returns true if the credentials for one scheme fit the other. */
function isSchemeKept(held: Meaning, wanted: Meaning): boolean {
  const { flows: now } = wanted;
  if (!held.flows || !now) return held.text === wanted.text;
  // A new flow adds a way to get a token. Clients of a flow that was removed or has other addresses cannot log in.
  return Object.entries(held.flows).every(([name, flow]) => isFlowKept(flow, now[name]));
}

/** A new address for refresh tokens stops no client, and neither does a flow that no longer requires PKCE. */
function isFlowKept(flow: JsonValue, now: JsonValue | undefined): boolean {
  if (!isObject(flow) || !isObject(now)) return false;
  const { refreshUrl: oldRefresh, pkceRequired: hadPkce, ...before } = flow as JsonObject;
  const { refreshUrl, pkceRequired, ...after } = now as JsonObject;
  return (!oldRefresh || oldRefresh === refreshUrl) && (!pkceRequired || hadPkce === true) && sameJson(before, after);
}

/** Returns true if the two are one scheme, with more or fewer ways to log in. */
const isSameKind = (one: Meaning, other: Meaning): boolean => isSchemeKept(one, other) || isSchemeKept(other, one);

/** Removes members that no client depends on: descriptions, and the list of available scopes. */
function withoutTexts(scheme: JsonObject): JsonObject {
  const inner = (value: JsonValue, name: string): JsonValue => {
    if (name === "scheme" && typeof value === "string") return value.toLowerCase();
    return isObject(value) ? withoutTexts(value as JsonObject) : value;
  };
  const { location, name: key } = scheme;
  // Names of headers have no case.
  const written = location === "header" && typeof key === "string" ? { ...scheme, name: key.toLowerCase() } : scheme;
  const kept = Object.entries(written).filter(([name]) => !["description", "scopes", "bearerFormat"].includes(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, inner(value, name)]));
}
