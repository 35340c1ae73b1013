import { type HeaderPairs, isSameHost, type PeerInterface } from "@assay/wire";
import type { PrincipalName } from "../principal.ts";
import type { TestOptions } from "./options.ts";

/** Whether credentials of a principal were given; the user may as well do without. */
export const isGiven = (principal: PrincipalName, { principals }: TestOptions): boolean =>
  principal === "user" || principal === "anonymous" || principals?.[principal] !== undefined;

/** What a principal shows at an interface, or at another address of the agent's host; nothing where it may not. */
export function credentialsFor(
  principal: PrincipalName,
  { url, binding }: Pick<PeerInterface, "url" | "binding">,
  cardUrl: string,
  options: TestOptions,
): HeaderPairs {
  return options.connection.guard.trusts(url) && isHostOfCard(url, binding, cardUrl) ? shownBy(principal, options) : [];
}

/** What the user shows where an agent is asked which versions it speaks. */
export const credentialsForProbe = (url: string, options: Pick<TestOptions, "headers" | "connection">): HeaderPairs =>
  options.connection.guard.trusts(url) ? (options.headers ?? []) : [];

/** Credentials go to the host where the card was found, not to wherever the card points, and never from TLS to none. */
function isHostOfCard(url: string, binding: PeerInterface["binding"], cardUrl: string): boolean {
  if (new URL(cardUrl).protocol === "https:" && new URL(url).protocol === "http:") return false;
  // gRPC mostly has a port of its own.
  return isSameHost(url, cardUrl, { port: binding !== "GRPC" });
}

function shownBy(principal: PrincipalName, { headers = [], principals }: TestOptions): HeaderPairs {
  switch (principal) {
    case "user":
      return headers;
    case "anonymous":
      return [];
    case "second":
    case "restricted":
      return principals?.[principal]?.headers ?? [];
  }
}
