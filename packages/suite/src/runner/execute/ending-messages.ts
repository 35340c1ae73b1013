import type { Call } from "../../call.ts";
import { bindingName } from "../../report/group.ts";
import type { InterfaceName } from "../../report/result.ts";
import type { DiscoveredAgent } from "../discover/discover-agent.ts";
import type { TestOptions } from "../options.ts";

/** What is said of a run that could not examine what matters: what was seen, and what to do next. */
export interface EndingMessage {
  readonly message: string;
  readonly hint: string;
}

/** The card has nothing where the addresses should be. */
export const noInterfaceMessage: EndingMessage = {
  message: "The card lists no interface, so no client can reach this agent.",
  hint: 'Add one: "supportedInterfaces": [{"url": "https://…", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}]',
};

/** The card has some, and none of them can be spoken to: why, each in its own words. */
export function noUsableMessage(reasons: readonly UntestedInterface[]): EndingMessage {
  const told = reasons.slice(0, 5).map((each) => untestedNote(each));
  const enable = reasons.find((each) => each.enable !== undefined)?.enable;
  return {
    message: `No interface of the card can be tested. ${told.join(" ")}`,
    hint: enable ?? "Is the address on the card the one that clients can reach? assay card <url> shows it.",
  };
}

/** An interface at which nothing could be asked, by no fault of the agent. */
export interface UntestedInterface {
  readonly on: InterfaceName;
  readonly because: string;
  readonly enable?: string | undefined;
}

export function untestedNote({ on: { binding, dialect, url }, because }: UntestedInterface): string {
  const sentence = because.replace(/\.?$/, ".");
  // Some reasons begin with the address themselves.
  return sentence.startsWith(url)
    ? `${binding} ${dialect} was not tested: ${sentence}`
    : `${binding} ${dialect} at ${url} was not tested: ${sentence}`;
}

/** Every interface asks for money first. */
export const paymentMessage: EndingMessage = {
  message: "This agent asks for a payment: every interface answers HTTP 402.",
  hint: "Send what it asks for with --header <name:value>; --depth card examines the card alone.",
};

/** What the card says about how to log in, and the flags that do it. */
export function loginMessage(card: Record<string, unknown>): EndingMessage {
  const schemes = card["securitySchemes"];
  const names = typeof schemes === "object" && schemes !== null ? Object.keys(schemes).slice(0, 5) : [];
  const asks = names.length
    ? `its card names ${names.map((name) => JSON.stringify(name)).join(", ")}`
    : "its card does not say how";
  return {
    message: `This agent asks for a login: ${asks}.`,
    hint: "Give one: --bearer env:TOKEN, --api-key name=env:KEY or --basic user:env:PASSWORD",
  };
}

/** The card of the host was taken for an address that it does not mention: perhaps not what the user meant. */
export function cardOfAnother(
  { url, card }: TestOptions,
  { found: { url: cardUrl }, versions }: DiscoveredAgent,
): string | undefined {
  const asked = url.replace(/\/+$/, "");
  const addresses = versions.flatMap(({ facts }) => facts.declared.map((declared) => declared.url));
  if (card !== undefined || cardUrl.startsWith(asked) || addresses.some((address) => address.startsWith(asked)))
    return undefined;
  return `The card was found at ${cardUrl}, and does not mention ${url}. If that is another agent, name its card: --card <url>`;
}

/** The agent answered, and then no longer: since when. The first request that got no answer need not be the cause. */
export function goneMessage({ exchange, operation, on }: Call): { message: string; hint: string } {
  const number = exchange.id.replace(/\D/g, "");
  const what = `${operation ?? exchange.http.request.method} over ${bindingName(on.binding)}`;
  return {
    message: `The agent stopped answering: since request ${number}, ${what}, no interface of it did.`,
    hint: 'Is it still running, and what did it write last? assay test --start "<command>" starts it and tells.',
  };
}

export const timeOverMessage = (ms: number): { message: string; hint: string } => ({
  message: `The run was ended after ${Math.round(ms / 1000)} s, as --max-time says; the rules left are not examined.`,
  hint: "Give it more time (--max-time <seconds>), or less to do: --depth free, --only <rules>",
});
