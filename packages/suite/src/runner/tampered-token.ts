import { jsonObjectIn } from "@assay/protocol";
import type { HeaderPairs, Secret } from "@assay/wire";
import type { InvalidCredentials } from "../define/principal.ts";
import type { TestOptions } from "./options.ts";

/** A token of the operator, changed so that a verifying agent rejects it. */
interface TamperedToken {
  /** the reason why it is invalid */
  readonly flaw: string;
  readonly token: string;
}

/**
 * Returns a signed JSON Web Token with a wrong signature, and another without a signature. Returns nothing for an
 * opaque token, because only its issuer understands it.
 */
export function tamperedTokens(token: string): readonly TamperedToken[] {
  const [, head = "", claims = "", signature = ""] = /^([\w-]+)\.([\w-]+)\.([\w-]{20,})$/.exec(token) ?? [];
  const header = jsonObjectIn(Buffer.from(head, "base64url"));
  if (typeof header?.["alg"] !== "string" || !jsonObjectIn(Buffer.from(claims, "base64url"))) return [];
  const unsigned = Buffer.from(JSON.stringify({ ...header, alg: "none" })).toString("base64url");
  return [
    { flaw: "a token whose signature was changed", token: `${head}.${claims}.${changed(signature)}` },
    { flaw: "a token without a signature (alg none)", token: `${unsigned}.${claims}.` },
  ];
}

/** Changes the middle, where every letter carries six bits. The last letter may carry none. */
function changed(signature: string): string {
  const at = Math.floor(signature.length / 2);
  return `${signature.slice(0, at)}${signature[at] === "A" ? "B" : "A"}${signature.slice(at + 1)}`;
}

const isLogin = ([name]: HeaderPairs[number]): boolean => name.toLowerCase() === "authorization";

/** Adds tampered copies of the user's token. The agent must reject them, and they are as secret as the token. */
export function withTamperedTokens<T extends TestOptions>(options: T): T {
  const { headers = [], query, connection, principals, secrets = [] } = options;
  const logins = headers.filter(isLogin);
  const [, token = ""] = /^Bearer +(\S+)$/i.exec(logins.length === 1 ? logins[0]![1] : "") ?? [];
  const tampered = tamperedTokens(token);
  if (tampered.length === 0) return options;
  const { cert, key } = connection.tls ?? {};
  const besides = {
    headers: headers.filter((field) => !isLogin(field)),
    ...(query && { query }),
    ...(cert !== undefined && key !== undefined && { certificate: { cert, key } }),
  };
  const invalid = tampered.map(({ flaw, token: bad }): [string, InvalidCredentials] => [
    flaw,
    { ...besides, headers: [...besides.headers, ["Authorization", `Bearer ${bad}`]], besides },
  ]);
  const made = tampered.map(({ token: value }): Secret => ({ name: "tampered-token", value }));
  return {
    ...options,
    secrets: [...secrets, ...made],
    principals: { ...principals, invalid: { ...principals?.invalid, ...Object.fromEntries(invalid) } },
  };
}
