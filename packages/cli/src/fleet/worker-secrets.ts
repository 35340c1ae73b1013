import { type ListedAgent, type LoginReference, RowMistake, readLogin } from "@assay/fleet";
import { isSameAddress, readYaml } from "@assay/library/config";
import { isPlaceOf, readSecretPlace, type SecretPlace, shownPlace } from "@assay/library/connection";
import { readTrustedHost } from "@assay/wire";
import { z } from "zod";
import { UsageError } from "../exit.ts";
import { escapeText } from "../terminal/escape.ts";
import type { AgentLogin } from "./agent-logins.ts";

/** Finds the entry of an agent in a secrets file. */
export type WorkerSecrets = (agent: ListedAgent) => AgentLogin | undefined;

const isAddress = (key: string): boolean => /^https?:\/\//i.test(key) && URL.canParse(key);

/**
 * The key is the name of an agent in its fleet, or its address. An entry may contain a secret, so no message shows it.
 */
const schema = z.record(z.string().min(1), z.record(z.string(), z.unknown())).nullable();

interface Entry {
  readonly key: string;
  readonly place: SecretPlace;
  readonly login: LoginReference;
}

/**
 * Reads the logins from the worker's operator. This file binds each login to a host. A ledger with another address
 * under an agent's name therefore does not get its secret.
 */
export function readWorkerSecrets(file: string): WorkerSecrets {
  const entries = Object.entries(readYaml(file, schema) ?? {}).map(([key, entry]) => entryOf(file, key, entry));
  const byKey = new Map(entries.map((entry) => [entry.key, entry]));
  const addresses = entries.filter(({ key }) => isAddress(key));
  return ({ name, url, card }) => {
    const entry = byKey.get(name) ?? addresses.find(({ key }) => isSameAddress(key, url));
    if (!entry) return undefined;
    const elsewhere = [url, ...(card === undefined ? [] : [card])].find((address) => !isPlaceOf(entry.place, address));
    if (elsewhere === undefined) return { login: entry.login };
    return {
      refused: `The secrets file of this worker does not allow sending them to ${shownPlace(elsewhere, "http://")}.`,
    };
  };
}

function entryOf(file: string, key: string, { host, ...given }: Readonly<Record<string, unknown>>): Entry {
  const isPlaced = typeof host === "string";
  if (!isPlaced && !isAddress(key))
    throw new UsageError(
      `${file}: ${escapeText(key)}.host is missing`,
      "Add the host:port that may receive these secrets, or use the address of the agent as the key of the entry.",
    );
  const place = isPlaced ? readSecretPlace(`${file}: ${key}.host`, host) : readTrustedHost(new URL(key).origin);
  try {
    return { key, place, login: readLogin(given, key) };
  } catch (error) {
    if (!(error instanceof RowMistake)) throw error;
    throw new UsageError(`${file}: ${escapeText(error.message)}`, "docs/registries.md shows a secrets file.");
  }
}
