import { isObject, type JsonObject } from "@assay/protocol";
import { jsonIn } from "@assay/protocol/json";
import type { Exchange } from "@assay/wire";
import { answeredHeader, answerText, judgedJson } from "../compare.ts";
import type { Ends } from "../ends.ts";
import type { Property } from "../property.ts";
import type { TestedVersion } from "../requests.ts";
import { olderTestCard, servingCard } from "../test-card.ts";
import { broken, changed, type ExaminedProperty, notExamined, type PropertyVerdict, preserved } from "../verdict.ts";

const path = "/.well-known/agent-card.json";

interface FetchedCard {
  /** as the agent serves it */
  readonly before: string;
  readonly after: string;
  readonly client: Exchange;
  readonly agent: Exchange;
}

/** Fetches the card, and judges it if the gateway serves one that comes from the agent. */
async function fetched(
  ends: Ends,
  judge: (card: FetchedCard) => PropertyVerdict,
  version: TestedVersion = "1.0",
): Promise<ExaminedProperty> {
  const before = version === "0.3" ? olderTestCard(ends.through) : await ends.testCard();
  const passage = await ends.send(
    { method: "GET", url: `${ends.through}${path}`, headers: [["Accept", "application/json"]] },
    servingCard(before),
  );
  const { client } = passage;
  const [agent] = passage.agent;
  const after = answerText(client);
  const isServed = client.http.response?.status === 200 && isObject(jsonIn(after));
  if (!isServed) return { judgement: notExamined("the gateway serves no card at this address"), passages: [passage] };
  // A card from a cache or of the gateway's own has no original to compare with.
  const judgement = agent ? judge({ before, after, client, agent }) : notExamined(withoutAgent);
  return { judgement, passages: [passage] };
}

const withoutAgent = "the gateway served a card without asking the agent";

/** Returns the interfaces on a card, and the card without them and without signatures. */
function split(text: string): {
  urls: readonly string[];
  rest: string;
} {
  // 0.3 has one address at the top and others in a list.
  const { supportedInterfaces, url, additionalInterfaces, signatures: _, ...rest } = jsonIn(text) as JsonObject;
  const listed = [supportedInterfaces, additionalInterfaces].flatMap((each) => (Array.isArray(each) ? each : []));
  const urls = listed.map((each) => String((each as JsonObject | null)?.["url"]));
  return { urls: url === undefined ? urls : [String(url), ...urls], rest: JSON.stringify(rest) };
}

export const cardServed: Property = {
  id: "GW-CARD-SERVED",
  area: "card",
  once: true,
  title: "The gateway serves the Agent Card",
  breaks: "Clients cannot find the agent behind the gateway.",
  rule: "CARD-001",
  remedy: `Route ${path} below the agent's address to the agent.`,
  async examine(ends) {
    const examined = await fetched(ends, () => preserved);
    const { response } = examined.passages[0]!.client.http;
    const { judgement } = examined;
    const isServed =
      judgement.is === "preserved" || (judgement.is === "not-examined" && judgement.because === withoutAgent);
    if (isServed) return { ...examined, judgement: preserved };
    if (!response) return { ...examined, judgement: notExamined("the gateway gave no response") };
    if ([401, 403].includes(response.status))
      return { ...examined, judgement: notExamined("the gateway asks for credentials: give them with --bearer") };
    return {
      ...examined,
      judgement: broken("the gateway serves no Agent Card", {
        saw: `HTTP ${response.status}`,
        want: "HTTP 200 with the card of the agent",
      }),
    };
  },
};

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
          return broken("the card has no interface any more", { saw: "no address", want: want.join(", ") }, at);
        const odd = saw.filter((url) => !want.includes(url));
        const past = odd.filter((url) => leadsPast(ends, url));
        if (past.length > 0)
          return broken("the card leads past the gateway", { saw: past.join(", "), want: want.join(", ") }, at);
        const seen = { saw: saw.join(", "), want: want.join(", ") };
        // Another host may be a public name of the gateway.
        if (odd.length > 0) return changed(`the card has other addresses: ${odd.join(", ")}`, at, seen);
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
        `${lost.join(" and ")} of the card is lost or different`,
        { part: "response", header: first },
        { saw: answeredHeader(client, first) ?? "none", want: answeredHeader(agent, first)! },
      );
    }),
};
