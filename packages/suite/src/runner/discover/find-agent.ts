import { type CardSearch, discoverCard, type Exchange, type FoundCard, type HttpClient } from "@assay/wire";
import type { RunEnding } from "../../report/events.ts";
import type { TestOptions } from "../options.ts";

export interface FoundAgent {
  readonly found: FoundCard;
  /** at the address that the user gave for the card */
  readonly given: boolean;
}

/** Why there is nothing to test, in words that say what to do. */
export interface MissingAgent {
  readonly found?: undefined;
  readonly ending: RunEnding;
  readonly message: string;
  readonly hint: string;
}

const warmUpDefault = 10_000;

/** Cold agents take a while to answer for the first time: asks again, less and less often, until the time is over. */
export async function findAgent(
  client: HttpClient,
  options: TestOptions,
  sleep: (ms: number) => Promise<void>,
): Promise<FoundAgent | MissingAgent> {
  const { url, card, headers = [], warmUp = warmUpDefault, signal } = options;
  const startedAt = performance.now();
  let pause = 200;
  for (let tries = 1; ; tries++) {
    const search = await discoverCard(client, card ?? url, headers, signal);
    if (search.found)
      return { found: search.found, given: card !== undefined || search.found.url === new URL(url).href };
    const passed = performance.now() - startedAt;
    const cold = search.tried.find(({ exchange }) => isCold(exchange));
    if (!cold || passed + pause > warmUp || signal?.aborted) return whyNot(card ?? url, search, tries, passed);
    await sleep(pause);
    pause = Math.min(pause * 2, 4_000);
  }
}

const cold: ReadonlySet<string> = new Set([
  "connect-refused",
  "unreachable",
  "closed-at-once",
  "timeout-connect",
  "reset",
  "closed-early",
]);

/** Not listening yet, or not up, as a gateway in front of the agent says. */
function isCold({ failure, http }: Exchange): boolean {
  if (http.response) return [502, 503, 504, 429].includes(http.response.status);
  return failure !== undefined && cold.has(failure.code);
}

function whyNot(url: string, { tried }: CardSearch, tries: number, passedMs: number): MissingAgent {
  const statusOf = (exchange: Exchange): number | undefined => exchange.http.response?.status;
  const login = tried.find(({ exchange }) => statusOf(exchange) === 401 || statusOf(exchange) === 403);
  if (login) {
    const challenge = login.exchange.http.response?.headers.find(([name]) => /^www-authenticate$/i.test(name))?.[1];
    return {
      ending: "login-required",
      message: `This agent asks for a login: ${login.url} answered ${login.saw}${challenge ? ` (${challenge})` : ""}.`,
      hint: "Give one: --bearer env:TOKEN, --api-key name=env:KEY or --basic user:env:PASSWORD",
    };
  }
  const paid = tried.find(({ exchange }) => statusOf(exchange) === 402);
  if (paid) {
    return {
      ending: "payment-required",
      message: `This agent asks for a payment before it shows its card: ${paid.url} answered ${paid.saw}.`,
      hint: "Send what it asks for with --header <name:value>, or name a card that is free to read: --card <url>",
    };
  }
  const refused = tried.find(({ exchange }) => exchange.failure?.code === "refused-by-guard");
  if (refused) {
    return {
      ending: "egress-refused",
      message: `${refused.url} was not contacted: ${refused.saw}.`,
      hint: refused.exchange.failure?.hint ?? "If it should be contacted, name its host with --allow-host",
    };
  }
  const silent = tried.find(({ exchange }) => exchange.failure && !exchange.http.response);
  if (silent) {
    const often = tries === 1 ? "" : `, tried ${tries} times in ${Math.round(passedMs / 1000)} s`;
    return {
      ending: "unreachable",
      message: `Nothing answers at ${url} (${silent.saw}${often}).`,
      hint:
        silent.exchange.failure?.code === "connect-refused"
          ? `Is the agent running? To start it from here: assay test --start "npm run agent" ${url}`
          : (silent.exchange.failure?.hint ?? "Is the address right, and can this machine reach it?"),
    };
  }
  const places = tried.map((place) => `${place.url}: ${place.saw}`).join("; ");
  return {
    ending: "no-card",
    message: `No agent card was found for ${url}. Tried ${places}.`,
    hint: "Is the agent served under a path? Give that path, or the address of the card itself: --card <url>",
  };
}
