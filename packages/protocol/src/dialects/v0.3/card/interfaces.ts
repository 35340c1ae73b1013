import { dialectOf } from "../../../card/evidence.ts";
import type { AgentInterface } from "../../../model.ts";
import type { DialectVersion } from "../../../versions.ts";

/**
 * Before 1.0 a card has one main pair of `url` and `preferredTransport`. `additionalInterfaces` lists the others and
 * should repeat the main one. All of them speak the version of the card.
 *
 * Lost on output: each interface's own version and tenant. If some interfaces speak the dialect of the card, the others
 * are dropped, because a client of that dialect could not use them.
 */
export interface InterfacesShape {
  readonly url: string;
  readonly preferredTransport?: string;
  readonly additionalInterfaces?: readonly { readonly url: string; readonly transport: string }[];
}

export function readInterfaces(
  card: InterfacesShape & { protocolVersion?: string },
  version: DialectVersion,
): AgentInterface[] {
  const main = { url: card.url, transport: card.preferredTransport || "JSONRPC" };
  const protocolVersion = dialectOf(card.protocolVersion) ?? version;
  return withoutRepeats([main, ...(card.additionalInterfaces ?? [])]).map(({ url, transport }) => ({
    url,
    protocolBinding: transport,
    protocolVersion,
  }));
}

export function writeInterfaces(interfaces: readonly AgentInterface[], version: DialectVersion): InterfacesShape {
  const pairs = withoutRepeats(
    spoken(interfaces, version).map(({ url, protocolBinding }) => ({ url, transport: protocolBinding })),
  );
  const [main] = pairs;
  return {
    url: main?.url ?? "",
    preferredTransport: main?.transport ?? "JSONRPC",
    ...(pairs.length > 1 ? { additionalInterfaces: pairs } : {}),
  };
}

/** Before 0.2.4 there is one URL, and it speaks JSON-RPC. */
export function writeOnlyUrl(interfaces: readonly AgentInterface[], version: DialectVersion): string {
  const choices = spoken(interfaces, version);
  return (choices.find(({ protocolBinding }) => protocolBinding === "JSONRPC") ?? choices[0])?.url ?? "";
}

function spoken(interfaces: readonly AgentInterface[], version: DialectVersion): readonly AgentInterface[] {
  const own = interfaces.filter(({ protocolVersion }) => dialectOf(protocolVersion) === version);
  return own.length ? own : interfaces;
}

function withoutRepeats<T extends { url: string; transport: string }>(pairs: readonly T[]): T[] {
  const known = new Map(pairs.map((pair) => [JSON.stringify([pair.url, pair.transport]), pair]));
  return [...known.values()];
}
