import { existsSync } from "node:fs";
import { type ConnectionValues, connect } from "@assay/library/connection";
import { isLoopback, isObject, type JsonObject, jsonIn } from "@assay/protocol";
import { KeyNotFound, type ResolveKey, type SignatureKey } from "@assay/protocol/signature";
import { UsageError } from "../exit.ts";
import { fileText } from "../hallmark/key-files.ts";
import type { Screen } from "../terminal/screen.ts";

/** The source of keys: a file, or a host whose key sets are trusted. */
type TrustedSource = { readonly keys: readonly JsonObject[] } | { readonly host: string };

/**
 * Finds keys only where the user trusts them: in a file, or at the `jku` of a trusted host. Without `--key`, only the
 * host at which the user asked for the card is trusted. `place` is where the user named the source.
 */
export function trustedKeys(
  given: string | undefined,
  cardHost: string | undefined,
  network: ConnectionValues,
  screen: Screen,
  place = "--key",
): ResolveKey {
  const source = given === undefined ? undefined : sourceOf(given, place);
  if (source && "keys" in source) return async ({ kid }) => keyIn(source.keys, kid, `the file of ${place}`);
  const host = source?.host ?? cardHost;
  const sets = new Map<string, Promise<readonly JsonObject[]>>();
  return async ({ kid, jku }) => {
    if (jku === undefined)
      throw new KeyNotFound("no-jku", `the signature does not say where its key is. Name the key: ${place} <file>`);
    assertAllowed(jku, host, place);
    const set = sets.get(jku) ?? fetchedKeys(jku, network, screen);
    sets.set(jku, set);
    return keyIn(await set, kid, "the key set at jku");
  };
}

function sourceOf(given: string, place: string): TrustedSource {
  if (/^https?:\/\//i.test(given) && URL.canParse(given))
    throw new UsageError(`${place} ${given} is an address, not a host`, `Pass the host: ${new URL(given).host}`);
  const isFile = existsSync(given) || /[\\/]|\.(json|jwks?|pem)$/i.test(given);
  if (isFile) return { keys: keysInFile(given, place) };
  if (!URL.canParse(`https://${given}`) || /[/?#@]/.test(given))
    throw new UsageError(
      `${place} ${given} is neither a file nor a host`,
      "Pass a JWK file, or a host such as keys.example.com.",
    );
  return { host: new URL(`https://${given}`).host };
}

function keysInFile(file: string, place: string): readonly JsonObject[] {
  const json = jsonIn(fileText(place, file));
  const keys = isObject(json) && Array.isArray(json["keys"]) ? json["keys"] : [json];
  const read = keys.filter((key): key is JsonObject => isObject(key) && typeof key["kty"] === "string");
  if (read.length === 0)
    throw new UsageError(`${place}: ${file} contains no key`, "Write the public key as a JWK or a JWKS, in JSON.");
  if (read.some((key) => "d" in key || key["kty"] === "oct"))
    throw new UsageError(
      `${place}: ${file} contains a private key`,
      "Pass the public key: a JWK without its private members.",
    );
  return read;
}

/** Returns the key with this id. A single key without an id matches every signature. */
function keyIn(keys: readonly JsonObject[], kid: string, place: string): SignatureKey {
  const [key, another] = keys.filter((each) => each["kid"] === kid || (each["kid"] === undefined && keys.length === 1));
  if (!key) throw new KeyNotFound("unknown-key", `${place} does not contain the key ${JSON.stringify(kid)}`);
  if (another) throw new KeyNotFound("ambiguous-key", `${place} contains two keys ${JSON.stringify(kid)}`);
  return key as unknown as SignatureKey;
}

function assertAllowed(jku: string, host: string | undefined, place: string): void {
  const url = URL.canParse(jku) ? new URL(jku) : undefined;
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname));
  if (!url || !isSafe) throw new KeyNotFound("jku-not-allowed", `jku is not an https URL: ${jku}`);
  if (url.host !== host)
    throw new KeyNotFound(
      "jku-not-allowed",
      `jku is on the host ${url.host}, which you did not name. If you trust it: ${place} ${url.host}`,
    );
}

/** Fetches a key set without credentials, and follows no redirect. */
async function fetchedKeys(jku: string, network: ConnectionValues, screen: Screen): Promise<readonly JsonObject[]> {
  const connection = await connect(jku, network, screen);
  try {
    const { http, failure } = await connection.clients.http.request({
      method: "GET",
      url: jku,
      headers: [["Accept", "application/json"]],
    });
    if (failure) throw new KeyNotFound("key-unreachable", `cannot fetch ${jku}: ${failure.message}`);
    if (http.response?.status !== 200)
      throw new KeyNotFound("key-unreachable", `${jku} returned HTTP ${http.response?.status}`);
    const json = jsonIn(Buffer.from(http.response.body).toString());
    const keys = isObject(json) && Array.isArray(json["keys"]) ? json["keys"] : undefined;
    if (!keys) throw new KeyNotFound("key-unreachable", `${jku} is not a JWKS`);
    return keys.filter((key): key is JsonObject => isObject(key) && typeof key["kty"] === "string");
  } finally {
    await connection.clients.close();
  }
}
