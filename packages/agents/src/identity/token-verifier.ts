import type { JWTVerifyGetKey } from "jose";
import type { TokenGrant, TokenVerifier } from "../definition/access.ts";
import { audienceAt, baseOfIssuer } from "./places.ts";
import { type TokenKeys, tokenAlgorithm } from "./token-keys.ts";

/** Allowed clock difference between two machines. */
const toleranceSeconds = 5;

/** Verifies tokens of the built-in OAuth server, at any of its addresses (RFC 9068). */
export class JwtVerifier implements TokenVerifier {
  readonly #keys: TokenKeys;
  readonly #isOwn: (baseUrl: string) => boolean;
  #keySet: JWTVerifyGetKey | undefined;

  constructor(keys: TokenKeys, isOwn: (baseUrl: string) => boolean) {
    this.#keys = keys;
    this.#isOwn = isOwn;
  }

  async verify(token: string): Promise<TokenGrant | undefined> {
    const { createLocalJWKSet, decodeJwt, errors, jwtVerify } = await import("jose");
    try {
      // Anyone can write a token: its claims have any type until it is verified, and some even
      // then.
      const { iss }: { readonly iss?: unknown } = decodeJwt(token);
      const baseUrl = typeof iss === "string" ? baseOfIssuer(iss) : undefined;
      if (typeof iss !== "string" || baseUrl === undefined || !this.#isOwn(baseUrl)) return undefined;
      this.#keySet ??= createLocalJWKSet(await this.#keys.publicKeys());
      const { payload } = await jwtVerify(token, this.#keySet, {
        issuer: iss,
        audience: audienceAt(baseUrl),
        algorithms: [tokenAlgorithm],
        // An ID token has the same signature, but grants no access.
        typ: "at+jwt",
        requiredClaims: ["exp", "sub"],
        clockTolerance: toleranceSeconds,
      });
      const { sub, scope = "" }: { readonly sub?: unknown; readonly scope?: unknown } = payload;
      if (typeof sub !== "string" || typeof scope !== "string") return undefined;
      return { subject: sub, scopes: scope.split(" ").filter(Boolean) };
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }
}
