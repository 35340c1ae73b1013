import { isObject, type JsonObject } from "@assay/protocol";
import { cardJson } from "@assay/wire";
import type { AddressMap } from "./address-map.ts";

/** A card as clients receive it from the proxy, with the list of changes. */
export interface PassedCard {
  readonly card: JsonObject;
  readonly changes: readonly string[];
}

/** Matches the two paths at which clients look for a card. */
export const isCardPath = (path: string): boolean =>
  /\/\.well-known\/agent(-card)?\.json$/.test(path.replace(/\?.*$/s, ""));

/** Parses a body as a JSON object, because only an object can be a card. */
export function cardIn(body: Uint8Array): JsonObject | undefined {
  const json = cardJson(body);
  return isObject(json) ? (json as JsonObject) : undefined;
}

/**
 * Rewrites every interface address of a card of any version to point to the proxy. Removes signatures, because they
 * cover the agent's own bytes.
 */
export function passedCard(card: JsonObject, map: AddressMap): PassedCard {
  const changes: string[] = [];
  const moved = (entry: JsonObject, binding: unknown): JsonObject => {
    const { url } = entry;
    if (typeof url !== "string") return entry;
    const here = map.standIn(url, typeof binding === "string" ? binding : "JSONRPC");
    if (here === undefined) changes.push(`the address ${url} cannot be rewritten and was kept`);
    else changes.push(`${url} was rewritten to ${here}`);
    return here === undefined ? entry : { ...entry, url: here };
  };
  const list = (value: unknown, binding: string): unknown =>
    Array.isArray(value)
      ? value.map((each) => (isObject(each) ? moved(each as JsonObject, each[binding]) : each))
      : value;
  const { signatures, ...rest } = card;
  if (signatures !== undefined)
    changes.push("the signatures were removed, because they cover the agent's own addresses");
  const whole: Record<string, unknown> = {
    ...moved(rest, rest["preferredTransport"]),
    ...("additionalInterfaces" in rest && { additionalInterfaces: list(rest["additionalInterfaces"], "transport") }),
    ...("supportedInterfaces" in rest && { supportedInterfaces: list(rest["supportedInterfaces"], "protocolBinding") }),
  };
  return { card: whole as JsonObject, changes: [...new Set(changes)] };
}
