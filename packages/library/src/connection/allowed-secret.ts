import { resolve } from "node:path";
import { isLoopback } from "@assay/protocol";
import { UsageError } from "@assay/protocol/assay-error";
import { escapeText } from "@assay/protocol/escape";
import { readTrustedHost } from "@assay/wire";
import { referenceIn } from "./secrets.ts";

/** A scheme, host and port that may receive a secret. Without a scheme: https, and also http on this machine. */
export interface SecretPlace {
  readonly scheme: string | undefined;
  readonly host: string;
  /** default: the port of the scheme */
  readonly port: string | undefined;
}

/** One `--allow-secret`: the operator permits Assay to send this secret to this place. */
export interface AllowedSecret extends SecretPlace {
  /** `env:NAME`, or `@` and an absolute path */
  readonly reference: string;
}

/** Reads `env:NAME@host[:port]` and `@file@host[:port]`. */
export function readAllowedSecret(text: string, flag = "--allow-secret"): AllowedSecret {
  const at = text.lastIndexOf("@");
  const [reference, place] = [text.slice(0, Math.max(0, at)), text.slice(at + 1)];
  if (!/^(env:[A-Za-z_]\w*|@.+)$/s.test(reference))
    throw new UsageError(
      `${flag} ${escapeText(text)}: expected env:NAME@host[:port] or @file@host[:port]`,
      "Name the secret and the host that may receive it, such as env:TOKEN@agents.example:443",
    );
  return { reference: absolute(reference), ...readSecretPlace(flag, place) };
}

/** Reads `host[:port]`, with `http://` in front for an unencrypted connection. */
export function readSecretPlace(flag: string, text: string): SecretPlace {
  try {
    return readTrustedHost(text);
  } catch {
    throw new UsageError(
      `${flag}: "${escapeText(text)}" is not a host`,
      "Use host:port, such as agents.example:443, or http://host:port for an unencrypted connection to another machine.",
    );
  }
}

/** Returns true if an address has this scheme, host and port. */
export function isPlaceOf({ scheme, host, port }: SecretPlace, address: string): boolean {
  const { origin, hostname } = new URL(address);
  const there = readTrustedHost(origin);
  const isFit = scheme === undefined ? there.scheme === "https:" || isLoopback(hostname) : scheme === there.scheme;
  return isFit && host === there.host && (port ?? usualPort(there.scheme)) === there.port;
}

export const mayGoTo = (allowed: readonly AllowedSecret[], reference: string, address: string): boolean =>
  allowed.some((each) => each.reference === absolute(reference) && isPlaceOf(each, address));

/** Returns the flag that permits a secret for an address. */
export function allowingFlag(reference: string, address: string): string {
  const flag = `${reference}@${shownPlace(address, "http://")}`;
  return `--allow-secret ${/^[\w@:/.[\]-]+$/.test(flag) ? flag : `'${flag.replaceAll("'", "'\\''")}'`}`;
}

/** Returns `agents.example:443`, with `clearText` in front if the connection is unencrypted and leaves this machine. */
export function shownPlace(address: string, clearText: string): string {
  const { protocol, hostname, port } = new URL(address);
  const isClear = protocol === "http:" && !isLoopback(hostname);
  return `${isClear ? clearText : ""}${hostname}:${port || usualPort(protocol)}`;
}

const usualPort = (scheme: string | undefined): string => (scheme === "http:" ? "80" : "443");

const absolute = (reference: string): string => referenceIn(resolve("."), reference);
