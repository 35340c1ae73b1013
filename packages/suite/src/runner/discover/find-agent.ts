import {
  type CardSearch,
  cardTrouble,
  discoverCard,
  type Exchange,
  type FoundCard,
  type HttpClient,
} from "@assay/wire";
import type { RunEnding } from "../../report/events.ts";
import type { TestOptions } from "../options.ts";

export interface FoundAgent {
  readonly found: FoundCard;
  /** found at the address that the user gave for the card */
  readonly given: boolean;
}

/** The reason why there is nothing to test, and the next step. */
export interface MissingAgent {
  readonly found?: undefined;
  readonly ending: RunEnding;
  readonly message: string;
  readonly hint: string;
}

const warmUpDefault = 10_000;

/** Retries with growing pauses until the time is over, because agents may start slowly. */
export async function findAgent(
  client: HttpClient,
  options: TestOptions,
  sleep: (ms: number) => Promise<void>,
): Promise<FoundAgent | MissingAgent> {
  const { url, card, headers = [], warmUp = warmUpDefault, signal } = options;
  const agentAt = (found: FoundCard): FoundAgent => ({
    found,
    given: card !== undefined || found.url === new URL(url).href,
  });
  if (options.found) return agentAt(options.found);
  const startedAt = performance.now();
  let pause = 200;
  for (let tries = 1; ; tries++) {
    const search = await discoverCard(client, card ?? url, headers, signal);
    if (search.found) return agentAt(search.found);
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

/** The agent does not listen yet, or its gateway says that it is down. */
function isCold({ failure, http }: Exchange): boolean {
  if (http.response) return [502, 503, 504, 429].includes(http.response.status);
  return failure !== undefined && cold.has(failure.code);
}

const endings: Record<ReturnType<typeof cardTrouble>["kind"], RunEnding> = {
  login: "login-required",
  payment: "payment-required",
  refused: "egress-refused",
  unreachable: "unreachable",
  "no-card": "no-card",
};

function whyNot(url: string, search: CardSearch, tries: number, passedMs: number): MissingAgent {
  const { kind, message, hint } = cardTrouble(url, search);
  const ending = endings[kind];
  if (ending !== "unreachable") return { ending, message, hint };
  const often = tries === 1 ? "" : `, ${tries} attempts in ${Math.round(passedMs / 1000)} s`;
  const isRefused = search.tried.some(({ exchange }) => exchange.failure?.code === "connect-refused");
  return {
    ending,
    message: message.replace(/\)\.$/, `${often}).`),
    hint: isRefused ? `Start the agent, or let Assay start it: assay test --start "npm run agent" ${url}` : hint,
  };
}
