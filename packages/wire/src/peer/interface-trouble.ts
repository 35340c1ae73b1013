import {
  bindings,
  type CardInterface,
  dialects,
  guessedVersion,
  isObject,
  type JsonObject,
  normaliseCard,
  shapeOf,
} from "@assay/protocol";
import type { FoundCard } from "./discover.ts";

/** The reason why none of a card's interfaces can be used, and the next step. */
export interface InterfaceTrouble {
  readonly message: string;
  readonly hint: string;
  /** the card breaks a rule; otherwise Assay merely does not support it */
  readonly isFault: boolean;
}

/** Describes a card without an address, in the terms of its version. */
export const noInterfaces = ({ json, url }: Pick<FoundCard, "json" | "url">): InterfaceTrouble =>
  isOlderCard({ json, url })
    ? {
        message: `The card${versionOf(json)} has no \`url\`, so clients cannot reach the agent`,
        hint: "Set the top-level `url` to the address that clients call",
        isFault: true,
      }
    : {
        message: "The card lists no interface, so clients cannot reach the agent",
        hint: "List every interface in `supportedInterfaces` with url, protocolBinding and protocolVersion",
        isFault: true,
      };

const versionOf = (card: JsonObject): string => {
  const [found] = normaliseCard(card).dialects;
  return found === undefined || found === guessedVersion ? "" : ` is one of ${found.dialect} and`;
};

/** Detects an older card without an address, by its members or by the card path that only versions before 0.3 use. */
export const isOlderCard = ({ json, url }: Pick<FoundCard, "json" | "url">): boolean =>
  shapeOf(json) === "older" ||
  (/\/agent\.json$/.test(new URL(url).pathname) && normaliseCard(json).interfaces.length === 0);

/** Describes a card whose interfaces are all unusable. */
export function interfaceTrouble(
  found: Pick<FoundCard, "json" | "url">,
  interfaces: readonly CardInterface[],
): InterfaceTrouble {
  const { json: card } = found;
  if (interfaces.length === 0) return noInterfaces(found);
  const isBinding = ({ binding }: CardInterface): boolean => bindings.some((known) => known === binding);
  const known = interfaces.filter(isBinding);
  if (known.length === 0)
    return beyondUs(
      "bindings",
      interfaces.map(({ binding }) => binding),
      bindings,
    );
  const dated = known.filter(({ dialect }) => dialect !== undefined);
  if (dated.length === 0) return beyondUs("versions", versionsIn(card), dialects.toReversed());
  const [{ url, binding }] = dated as [CardInterface];
  return {
    message: `The address of the interface is ${JSON.stringify(url)}; ${binding} needs an absolute http(s) URL`,
    hint: "Write the `url` of the interface with scheme and host",
    isFault: true,
  };
}

const beyondUs = (what: string, offered: readonly string[], spoken: readonly string[]): InterfaceTrouble => ({
  message: `The card offers only ${what} that Assay does not support: ${[...new Set(offered)].slice(0, 5).join(", ")}`,
  hint: `Assay supports ${spoken.slice(0, -1).join(", ")} and ${spoken.at(-1)}`,
  isFault: false,
});

/** Returns the versions as the card writes them. */
const versionsIn = (card: JsonObject): string[] => {
  const listed = Array.isArray(card["supportedInterfaces"]) ? card["supportedInterfaces"] : [];
  const versions = listed.map((entry) => (isObject(entry) ? entry["protocolVersion"] : undefined));
  return [...versions, card["protocolVersion"]].filter((version) => typeof version === "string");
};
