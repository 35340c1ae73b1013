import { existsSync } from "node:fs";
import { type ConnectionValues, connect, findCard, parseAddress } from "@assay/library/connection";
import { duplicateMember, isObject, type JsonObject, jsonIn } from "@assay/protocol";
import { UsageError } from "../exit.ts";
import { fileText } from "../hallmark/key-files.ts";
import type { Screen } from "../terminal/screen.ts";

/** A card and the place it comes from. */
export interface SourcedCard {
  readonly json: JsonObject;
  /** the file, or the URL of the card */
  readonly from: string;
  /** a member that the text of the card has twice, so that readers may see two different cards */
  readonly duplicate?: string;
}

/** Accepts the address of an agent, or a file with its card. */
export async function cardFrom(given: string, flags: ConnectionValues, screen: Screen): Promise<SourcedCard> {
  if (isFile(given)) return cardInFile(given);
  const connection = await connect(given, flags, screen);
  try {
    const { json, url, exchange } = await findCard(given, connection);
    return sourced(json, url, Buffer.from(exchange.http.response?.body ?? "").toString());
  } finally {
    await connection.clients.close();
  }
}

/**
 * Returns true for a file. An address may lack its scheme, so a name that ends like a file is one even if it does not
 * exist.
 */
export const isFile = (given: string): boolean =>
  !/^[a-z][a-z0-9+.-]*:\/\//i.test(given) && (existsSync(given) || /\.json$/i.test(given));

function sourced(json: JsonObject, from: string, text: string): SourcedCard {
  const duplicate = duplicateMember(text);
  return { json, from, ...(duplicate !== undefined && { duplicate }) };
}

export function cardInFile(file: string): SourcedCard {
  const text = fileText("card", file);
  const json = jsonIn(text);
  if (isObject(json)) return sourced(json as JsonObject, file, text);
  throw new UsageError(
    `${file} is not an Agent Card: it is not a JSON object`,
    "Save a card with: curl https://agents.example.com/.well-known/agent-card.json > card.json",
  );
}

/** Rejects credentials if there are two hosts, because Assay must not guess which one gets them. */
export function assertOneLogin(addresses: readonly string[], flags: ConnectionValues): void {
  const origins = new Set(addresses.filter((each) => !isFile(each)).map((each) => parseAddress(each).origin));
  const { bearer, basic, apiKey, headers, oauthClient, cert } = flags;
  if (origins.size < 2 || ![bearer, basic, apiKey, headers, oauthClient, cert].some(Boolean)) return;
  throw new UsageError(
    "Credentials go to one host, and the two cards are on different hosts",
    "Save one of the cards to a file, and pass the file.",
  );
}
