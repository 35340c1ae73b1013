import { isObject, type JsonObject } from "@assay/protocol";
import { cardJson } from "@assay/wire";
import type { AddressMap } from "./address-map.ts";

/** A card as clients get it here, and what was changed in it. */
export interface PassedCard {
  readonly card: JsonObject;
  readonly changes: readonly string[];
}

/** The two names under which clients look for a card. */
export const isCardPath = (path: string): boolean =>
  /\/\.well-known\/agent(-card)?\.json$/.test(path.replace(/\?.*$/s, ""));

/** What a body holds, where that is an object of JSON: only that can be a card. */
export function cardIn(body: Uint8Array): JsonObject | undefined {
  const json = cardJson(body);
  return isObject(json) ? (json as JsonObject) : undefined;
}

/**
 * The card with every address of an interface pointing here, in the words of whichever version it is. A signature is
 * about the bytes as the agent wrote them, so none can stay.
 */
export function passedCard(card: JsonObject, map: AddressMap): PassedCard {
  const changes: string[] = [];
  const moved = (entry: JsonObject, binding: unknown): JsonObject => {
    const { url } = entry;
    if (typeof url !== "string") return entry;
    const here = map.standIn(url, typeof binding === "string" ? binding : "JSONRPC");
    if (here === undefined) changes.push(`the address ${url} cannot be stood in for, and was left as it is`);
    else changes.push(`${url} is ${here} here`);
    return here === undefined ? entry : { ...entry, url: here };
  };
  const list = (value: unknown, binding: string): unknown =>
    Array.isArray(value)
      ? value.map((each) => (isObject(each) ? moved(each as JsonObject, each[binding]) : each))
      : value;
  const { signatures, ...rest } = card;
  if (signatures !== undefined) changes.push("the signatures were taken off: they are about the agent's own addresses");
  const whole: Record<string, unknown> = {
    ...moved(rest, rest["preferredTransport"]),
    ...("additionalInterfaces" in rest && { additionalInterfaces: list(rest["additionalInterfaces"], "transport") }),
    ...("supportedInterfaces" in rest && { supportedInterfaces: list(rest["supportedInterfaces"], "protocolBinding") }),
  };
  return { card: whole as JsonObject, changes: [...new Set(changes)] };
}
