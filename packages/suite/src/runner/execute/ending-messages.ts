import type { Call } from "../../call.ts";
import type { Obstacle } from "../../obstacle.ts";
import type { AgentFound } from "../../report/events.ts";
import { bindingName } from "../../report/group.ts";
import type { DiscoveredAgent } from "../discover/discover-agent.ts";
import type { TestOptions } from "../options.ts";

/** Nothing is left to test: what there was, and why it was left out. */
export function noInterfaceMessage(leftOut: AgentFound["leftOut"]): { message: string; hint: string } {
  const reasons = leftOut
    .slice(0, 5)
    .map(({ interface: { binding, dialect }, because }) => `${binding} ${dialect}: ${because}`);
  return {
    message: `The card offers no interface that can be tested (${[...new Set(reasons)].join("; ")}).`,
    hint: "Leave out --binding and --dialect to test every interface there is; assay card <url> lists them.",
  };
}

/** What the card says about how to log in, and the flags that do it. */
export function loginMessage(card: Record<string, unknown>): { message: string; hint: string } {
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

/** No interface of the card lets us connect: what became of each. */
export function unreachableMessage(obstacles: readonly Obstacle[]): { message: string; hint: string } {
  const reasons = [...new Set(obstacles.map(({ kind }) => kind.because))].slice(0, 5);
  return {
    message: `No interface of the card can be reached: ${reasons.join("; ")}.`,
    hint: "Does the agent listen where its card says, and can this machine reach it there?",
  };
}
