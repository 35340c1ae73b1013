import type { TLSSocket } from "node:tls";
import { jsonObjectIn } from "@assay/protocol";
import type { WireReply } from "@assay/wire/server";
import { bearerIn } from "../definition/access.ts";
import { type Divergence, secure } from "../definition/divergence.ts";
import { audienceAt, baseOfIssuer } from "../identity/places.ts";
import { secureCallers } from "../identity/secure-callers.ts";
import { whereRefused } from "../mutation/admission.ts";
import { changeRequests } from "../mutation/http.ts";

/** What a signed token says, whether it is true or not. */
interface TokenParts {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
}

function partsOf(token: string): TokenParts | undefined {
  const [header, claims] = token
    .split(".")
    .slice(0, 2)
    .map((part) => jsonObjectIn(Buffer.from(part, "base64url")));
  return header && claims ? { header, claims } : undefined;
}

const seconds = (value: unknown): number => (typeof value === "number" ? value : 0);
const now = (): number => Date.now() / 1000;

const isUnsigned = ({ header }: TokenParts): boolean => header["alg"] === "none";
const isExpired = ({ claims }: TokenParts): boolean => seconds(claims["exp"]) < now();
const isEarly = ({ claims }: TokenParts): boolean => seconds(claims["nbf"]) > now();
const isForOthers = ({ claims }: TokenParts): boolean => !String(claims["aud"]).endsWith("/secure");
/** Issuer and agent have one address here. */
const isOfOthers = ({ claims }: TokenParts): boolean =>
  audienceAt(baseOfIssuer(String(claims["iss"])) ?? "") !== claims["aud"];
/** Nothing but the signature can be wrong with it. */
const isUnverified = (token: TokenParts): boolean =>
  ![isUnsigned, isExpired, isEarly, isForOthers, isOfOthers].some((isWrong) => isWrong(token));

/** Takes tokens that are no good in this one way for what they say; all others are looked at as they should be. */
const taking = (id: string, does: string, isTaken: (token: TokenParts) => boolean): Divergence =>
  secure(id, does, {
    admission: whereRefused("authenticate", (error, head) => {
      const token = partsOf(bearerIn(head.headers.authorization) ?? "");
      const caller = token && isTaken(token) && secureCallers.find(({ name }) => name === token.claims["sub"]);
      if (!caller) throw error;
      return caller;
    }),
  });

/** Agents that look at a token, and not closely enough. They show only to callers that have one. */
export const tokenMutants: readonly Divergence[] = [
  taking("AUTH-007.unverified-token", "Takes a token for what it says, whatever its signature is.", isUnverified),
  taking("AUTH-007.unsigned-token", "Takes a token that says of itself that it is not signed (alg none).", isUnsigned),
  taking("AUTH-007.expired-token", "Takes tokens that have expired.", isExpired),
  taking("AUTH-007.early-token", "Takes tokens before their time.", isEarly),
  taking("AUTH-007.other-audience", "Takes tokens that were made out for another agent.", isForOthers),
  taking("AUTH-007.other-issuer", "Takes tokens of an issuer that it does not know.", isOfOthers),
];

/** The name on the certificate of the connection, whichever authority it is of. */
const claimedName = ({ raw: { socket } }: WireReply): string | undefined => {
  const { subject } = (socket as Partial<TLSSocket> | null)?.getPeerCertificate?.() ?? {};
  return typeof subject?.CN === "string" ? subject.CN : undefined;
};

/** It shows only over TLS, where certificates are asked for. */
export const certificateMutants: readonly Divergence[] = [
  secure("AUTH-007.any-certificate", "Takes a client certificate for what it says, whichever authority it is of.", {
    http: (serve) => (request, reply) => {
      const caller = secureCallers.find(({ name }) => name === claimedName(reply));
      if (!caller || request.headers.authorization || request.headers["x-api-key"]) return serve(request, reply);
      return changeRequests(({ headers }) => ({ headers: { ...headers, "x-api-key": caller.apiKey } }))(serve)(
        request,
        reply,
      );
    },
  }),
];
