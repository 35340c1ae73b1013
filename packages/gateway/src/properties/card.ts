import { isObject, type JsonObject, writtenText } from "@assay/protocol";
import { jsonIn } from "@assay/protocol/json";
import { discoverCard, type Exchange } from "@assay/wire";
import { answeredHeader, answerText, judgedJson } from "../compare.ts";
import type { Ends } from "../ends.ts";
import type { Property } from "../property.ts";
import type { TestedVersion } from "../requests.ts";
import { olderTestCard, servingCard } from "../test-card.ts";
import {
  broken,
  changed,
  type ExaminedProperty,
  type GatewayCall,
  notExamined,
  type PropertyVerdict,
  preserved,
} from "../verdict.ts";

interface FetchedCard {
  /** as the agent serves it */
  readonly before: string;
  readonly after: string;
  readonly client: Exchange;
  readonly agent: Exchange;
}

/** The search for the card at the gateway. */
interface CardSearch {
  /** the address that leads to the agent's card */
  readonly place?: string;
  /** the gateway serves a card without asking the agent */
  readonly isOwn: boolean;
  /** the request that found the card, or the first one */
  readonly call: GatewayCall;
}

const searches = new WeakMap<Ends, Promise<CardSearch>>();

/** Searches the card where clients search it, once for each gateway. */
function searchOf(ends: Ends): Promise<CardSearch> {
  const known = searches.get(ends) ?? searchCard(ends);
  searches.set(ends, known);
  return known;
}

async function searchCard(ends: Ends): Promise<CardSearch> {
  const card = await ends.testCard();
  const calls: (GatewayCall & { readonly url: string })[] = [];
  const { found } = await discoverCard(
    {
      async request(spec) {
        const call = await ends.send(spec, servingCard(card));
        calls.push({ url: spec.url, ...call });
        return call.client;
      },
    },
    ends.through,
  );
  // The gateway leads to the agent's card, even if it then loses the response.
  const agents = calls.find(({ agent }) => agent[0]?.http.response?.status === 200);
  if (agents) return { place: agents.url, isOwn: false, call: agents };
  return { isOwn: found !== undefined, call: calls.find(({ url }) => url === found?.url) ?? calls[0]! };
}

const isCard = ({ http }: Exchange, text: string): boolean => http.response?.status === 200 && isObject(jsonIn(text));

/** Fetches the card, and judges it if the gateway serves one that comes from the agent. */
async function fetched(
  ends: Ends,
  judge: (card: FetchedCard) => PropertyVerdict,
  version: TestedVersion = "1.0",
  ifLost: (client: Exchange) => PropertyVerdict = () => notExamined("the gateway does not pass the card on"),
): Promise<ExaminedProperty> {
  const { place, isOwn, call } = await searchOf(ends);
  if (place === undefined) {
    const lost = lostJudgement(call.client);
    // A card from a cache or of the gateway's own has no original to compare with.
    const judgement = isOwn ? notExamined(withoutAgent) : lost.is === "broken" ? notExamined(noCard) : lost;
    return { judgement, passages: [call] };
  }
  const before = version === "0.3" ? olderTestCard(ends.through) : await ends.testCard();
  const passage = await ends.send(
    { method: "GET", url: place, headers: [["Accept", "application/json"]], followRedirects: 3 },
    servingCard(before),
  );
  const { client } = passage;
  const [agent] = passage.agent;
  const after = answerText(client);
  const judgement = !isCard(client, after)
    ? ifLost(client)
    : agent
      ? judge({ before, after, client, agent })
      : notExamined(withoutAgent);
  return { judgement, passages: [passage] };
}

// Registries and direct configuration are fine, too (CARD-001).
export const noCard = "the gateway serves no Agent Card, so clients need a registry or their own copy";
const withoutAgent = "the gateway served a card without asking the agent";

/** Writes several interfaces with the same address as one. */
export const listOf = (urls: readonly string[]): string => [...new Set(urls)].join(", ");

/** Returns the interfaces on a card, and the card without them and without signatures. */
function split(text: string): {
  urls: readonly string[];
  rest: string;
} {
  // 0.3 has one address at the top and others in a list.
  const { supportedInterfaces, url, additionalInterfaces, signatures: _, ...rest } = jsonIn(text) as JsonObject;
  const listed = [supportedInterfaces, additionalInterfaces].flatMap((each) => (Array.isArray(each) ? each : []));
  const urls = listed.map((each) => writtenText((each as JsonObject | null)?.["url"]));
  return { urls: url === undefined ? urls : [writtenText(url), ...urls], rest: JSON.stringify(rest) };
}

export const cardServed: Property = {
  id: "GW-CARD-SERVED",
  area: "card",
  once: true,
  title: "The gateway serves the Agent Card",
  breaks: "Clients cannot find the agent behind the gateway.",
  rule: "CARD-001",
  remedy: "Pass the agent's response to /.well-known/agent-card.json on.",
  async examine(ends) {
    const examined = await fetched(ends, () => preserved, "1.0", lostJudgement);
    const { judgement } = examined;
    const isServed = judgement.is === "not-examined" && judgement.because === withoutAgent;
    return isServed ? { ...examined, judgement: preserved } : examined;
  },
};

/** Judges a response without a card, if the agent served one. An overloaded gateway is not broken. */
function lostJudgement({ http: { response }, failure }: Exchange): PropertyVerdict {
  if (!response) return notExamined(`the gateway gave no response: ${failure?.message ?? "unknown reason"}`);
  const { status } = response;
  if ([401, 403].includes(status)) return notExamined("the gateway asks for credentials: give them with --bearer");
  if (status === 429 || status >= 500) return notExamined(`the gateway answered HTTP ${status}`);
  return broken("the gateway asks the agent for its card, and serves none", {
    saw: status === 200 ? "HTTP 200 without a card" : `HTTP ${status}`,
    want: "HTTP 200 with the card of the agent",
  });
}

export const cardMembers: Property = {
  id: "GW-CARD-MEMBERS",
  area: "card",
  once: true,
  older: true,
  title: "The gateway keeps every member of the Agent Card",
  breaks: "Clients do not see capabilities, skills, extensions or security that the agent declares.",
  remedy: "Pass the card on unchanged. Change only the addresses of interfaces.",
  examine: (ends, _binding, version) =>
    fetched(ends, ({ before, after }) => judgedJson("the card", split(before).rest, split(after).rest), version),
};

export const cardAddresses: Property = {
  id: "GW-CARD-ADDRESSES",
  area: "card",
  once: true,
  older: true,
  title: "The addresses on the Agent Card lead to the gateway",
  breaks: "Clients bypass the gateway, or cannot reach the agent.",
  remedy:
    "Write the gateway's own address into every interface of the card, or pass on the address that the agent declares.",
  examine: (ends, _binding, version) =>
    fetched(
      ends,
      ({ before, after }) => {
        const [want, saw] = [split(before).urls, split(after).urls];
        const at = {
          part: "response",
          place: { path: version === "0.3" ? "$.url" : "$.supportedInterfaces" },
        } as const;
        if (saw.length === 0)
          return broken("the card has no interface any more", { saw: "no address", want: listOf(want) }, at);
        const odd = saw.filter((url) => !want.includes(url));
        const past = odd.filter((url) => leadsPast(ends, url));
        if (past.length > 0)
          return broken("the card leads past the gateway", { saw: listOf(past), want: listOf(want) }, at);
        const seen = { saw: listOf(saw), want: listOf(want) };
        // Another host may be a public name of the gateway.
        if (odd.length > 0) return changed(`the card has other addresses: ${listOf(odd)}`, at, seen);
        return saw.length < want.length ? changed("the card declares fewer interfaces", at, seen) : preserved;
      },
      version,
    ),
};

/** Only an address with the port of the agent behind the gateway surely bypasses the gateway. */
function leadsPast({ through, upstreamUrl }: Ends, url: string): boolean {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (!address || address.host === new URL(through).host) return false;
  return address.port === new URL(upstreamUrl).port;
}

export const cardSignature: Property = {
  id: "GW-CARD-SIGNATURE",
  area: "card",
  once: true,
  title: "A signed Agent Card keeps a valid signature",
  breaks: "Clients that verify signatures reject the card.",
  remedy: "Pass a signed card on unchanged, or remove its signatures when you change it.",
  examine: (ends) =>
    fetched(ends, ({ before, after }) => {
      const [ours, theirs] = [before, after].map((text) => (jsonIn(text) as JsonObject)["signatures"]);
      const at = { part: "response", place: { path: "$.signatures" } } as const;
      if (!Array.isArray(theirs) || theirs.length === 0)
        return changed("the gateway removes the signatures of the card", at);
      if (JSON.stringify(theirs) !== JSON.stringify(ours)) return changed("the gateway replaces the signature", at);
      const judgement = judgedJson("the signed card", before, after);
      return judgement.is === "broken"
        ? broken("the gateway changes a signed card and keeps its signature", judgement, judgement.at)
        : judgement;
    }),
};

export const cardCaching: Property = {
  id: "GW-CARD-CACHING",
  area: "card",
  once: true,
  title: "The gateway keeps the caching headers of the Agent Card",
  breaks: "Clients fetch the card with every call, or keep an outdated one.",
  remedy: "Pass Cache-Control and ETag of the card on.",
  examine: (ends) =>
    fetched(ends, ({ client, agent }) => {
      const lost = ["cache-control", "etag"].filter(
        (name) =>
          answeredHeader(agent, name) !== undefined && answeredHeader(client, name) !== answeredHeader(agent, name),
      );
      const [first] = lost;
      if (first === undefined) return preserved;
      return changed(
        `the gateway drops or changes ${lost.join(" and ")} of the card`,
        { part: "response", header: first },
        { saw: answeredHeader(client, first) ?? "none", want: answeredHeader(agent, first)! },
      );
    }),
};
