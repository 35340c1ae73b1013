import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { isHeaderName } from "@assay/protocol";
import { UsageError } from "@assay/protocol/assay-error";
import type { CertificateAndKey } from "@assay/suite";
import { type ClientGrant, secretsInGivenHeader, secretsInHeader } from "@assay/wire";
import { readSecret, referenceIn, type SecretValue } from "./secrets.ts";

/** Credentials from the user. Secrets are references that Assay has not read yet. */
export interface GivenCredentials {
  /** name:value */
  readonly headers?: readonly string[];
  readonly bearer?: string;
  /** name=secret, query:name=secret or cookie:name=secret */
  readonly apiKey?: string;
  /** user:secret */
  readonly basic?: string;
  readonly oauth?: GivenOauth;
  /** the files of a client certificate and its key */
  readonly cert?: string;
  readonly key?: string;
}

/** An OAuth client that fetches its token itself. */
export interface GivenOauth {
  readonly client: string;
  /** env:NAME or @file */
  readonly secret: string;
  readonly tokenUrl: string;
  readonly scope?: string | undefined;
}

export interface Credentials {
  readonly headers: (readonly [string, string])[];
  /** query parameters of the address */
  readonly query?: (readonly [string, string])[];
  readonly certificate?: CertificateAndKey;
  /** values that Assay must never write anywhere */
  readonly secrets: SecretValue[];
}

/** The names of credentials at their source, for messages: flags of the command line or lines of a file. */
export interface CredentialNames {
  nameOf(credential: "headers" | "bearer" | "apiKey" | "basic" | "oauthClient" | "cert" | "key"): string;
  /** the owner of the credentials, if it is not the default principal */
  readonly owner?: string;
}

/**
 * Reads the secrets and files that credentials name. Implement it to find out which ones they are and where Assay sends
 * them.
 */
export interface CredentialReader {
  /** with `tokenUrl`, the secret goes to that URL, and the agent receives only the token issued there */
  secret(place: string, given: string, warn: (place: string) => void, tokenUrl?: string): string;
  /** a file in PEM form */
  pem(place: string, file: string): string;
}

/** Reads secrets and files from this machine, with paths relative to this folder. */
export const readerIn = (folder: string): CredentialReader => ({
  secret: (place, given, warn) => readSecret(place, referenceIn(folder, given), warn),
  pem: (place, file) => readPem(place, resolve(folder, file)),
});

/** Fetches the token of an OAuth client whose secret was read. */
export type ObtainToken = (grant: ClientGrant) => Promise<string>;

/** Returns the headers for credentials: reads the secrets and fetches the tokens. */
export async function credentialsOf(
  given: GivenCredentials,
  warn: (place: string) => void,
  obtainToken: ObtainToken,
  names: CredentialNames,
  reader: CredentialReader = readerIn("."),
): Promise<Credentials> {
  const headers: [string, string][] = [];
  const query: [string, string][] = [];
  const secrets: SecretValue[] = [];
  const secret = (name: string, value: string): string => {
    secrets.push({ name: names.owner ? `${names.owner}-${name}` : name, value });
    return value;
  };
  for (const text of given.headers ?? []) {
    const [name, value] = halves(text, ":", `${names.nameOf("headers")} ${text}: expected name:value`);
    // Most headers are not secret, so a literal needs no warning. Assay cannot tell which ones are, so it masks all.
    const isNamed = value.trim().startsWith("env:");
    const sent = isNamed ? reader.secret(names.nameOf("headers"), value.trim(), warn) : value.trim();
    const held = isNamed ? secretsInHeader(name.trim(), sent, true) : secretsInGivenHeader(name.trim(), sent);
    for (const each of held) secret(each.name, each.value);
    headers.push([name.trim(), sent]);
  }
  if (given.bearer)
    headers.push([
      "Authorization",
      `Bearer ${secret("bearer", reader.secret(names.nameOf("bearer"), given.bearer, warn))}`,
    ]);
  if (given.basic) {
    const [user, named] = halves(given.basic, ":", `${names.nameOf("basic")}: expected user:secret`);
    const password = secret("basic", reader.secret(names.nameOf("basic"), named, warn));
    headers.push([
      "Authorization",
      `Basic ${secret("basic-pair", Buffer.from(`${user}:${password}`).toString("base64"))}`,
    ]);
  }
  if (given.apiKey) {
    const [, place, rest = ""] = /^(?:(query|cookie):)?(.*)$/s.exec(given.apiKey) ?? [];
    const [name, named] = halves(
      rest,
      "=",
      `${names.nameOf("apiKey")}: expected name=secret, query:name=secret or cookie:name=secret`,
    );
    const key = secret("api-key", reader.secret(names.nameOf("apiKey"), named, warn));
    if (place === "query") query.push([name, key]);
    else headers.push(place === "cookie" ? ["Cookie", `${name}=${key}`] : [name, key]);
  }
  if (given.oauth) {
    const { client: clientId, secret: named, tokenUrl, scope } = given.oauth;
    const clientSecret = secret("oauth-secret", reader.secret(names.nameOf("oauthClient"), named, warn, tokenUrl));
    const token = await obtainToken({ tokenUrl, clientId, clientSecret, ...(scope !== undefined && { scope }) });
    headers.push(["Authorization", `Bearer ${secret("oauth-token", token)}`]);
  }
  for (const [name, value] of headers) assertSendable(name, value, names);
  const certificate = certificateIn(given, names, reader);
  return { headers, secrets, ...(query.length > 0 && { query }), ...(certificate && { certificate }) };
}

/** Rejects credentials in the URL for commands that must pass URLs on unchanged. */
export function withoutParameters(given: Credentials): Credentials {
  if (!given.query?.length) return given;
  throw new UsageError(
    "This command cannot add an API key to the URL (query:…).",
    "It passes URLs on unchanged. Put the key into the URL yourself, or into a header.",
  );
}

function certificateIn(
  { cert, key }: GivenCredentials,
  names: CredentialNames,
  reader: CredentialReader,
): CertificateAndKey | undefined {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined)
    throw new UsageError(
      `${names.nameOf(cert === undefined ? "key" : "cert")} requires ${names.nameOf(cert === undefined ? "cert" : "key")}`,
      "A client certificate needs two files: the certificate and its key, both PEM.",
    );
  return { cert: reader.pem(names.nameOf("cert"), cert), key: reader.pem(names.nameOf("key"), key) };
}

/** Returns the text of a PEM file. It is named by its path because it does not fit on one line. */
export function readPem(place: string, file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw new UsageError(`${place}: cannot read the file ${file}`);
  }
}

/** Rejects a header that HTTP cannot carry. The message names the header and not the secret. */
export function assertSendable(name: string, value: string, { owner }: Pick<CredentialNames, "owner"> = {}): void {
  const whose = owner === undefined ? "" : ` of ${owner}`;
  if (!isHeaderName(name))
    throw new UsageError(
      `${JSON.stringify(name)} is not a valid header name${whose}: it contains a space or another invalid character`,
    );
  if (/[^\t\x20-\x7e\x80-\xff]/.test(value))
    throw new UsageError(
      `The value for the header ${name}${whose} contains a line break or another invalid character`,
      "Secrets from files and variables often end with a line break.",
    );
}

function halves(text: string, sign: string, complaint: string): [string, string] {
  const at = text.indexOf(sign);
  if (at < 1) throw new UsageError(complaint);
  return [text.slice(0, at), text.slice(at + 1)];
}
