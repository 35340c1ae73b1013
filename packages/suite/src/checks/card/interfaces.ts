import { type DialectVersion, errorTable, type JsonObject } from "@assay/protocol";
import type { HeaderPairs, RequestSpec } from "@assay/wire";
import { asList, asObject, asObjects, asText, brief } from "../../answers/loose-json.ts";
import { jsonBodyOf } from "../../answers/reading.ts";
import type { AgentFacts } from "../../card/agent-facts.ts";
import { activeCheck, cardCheck } from "../../define/check.ts";
import { breach, broken, type Finding, holds, notApplicable } from "../../define/finding.ts";
import { cardAgain } from "../../observations/cards.ts";
import { firstContact } from "../../observations/first-contact.ts";
import { linted, olderVersion, unlessOlder } from "./lint.ts";

const wantedAddress = "url: an absolute URL, https in production";

/** Checks that addresses of HTTP interfaces are callable. Plain http is a fault only in production. */
export const httpAddresses = cardCheck("CARD-014", {
  judge(card) {
    const older = unlessOlder(card);
    if (older) return older;
    const overHttp = card.facts.declared.filter(({ binding }) => binding === "JSONRPC" || binding === "HTTP+JSON");
    if (overHttp.length === 0) return notApplicable("the card declares no interface over HTTP");
    const plain = overHttp.filter(({ url }) => /^http:/i.test(url));
    const inProduction: Finding[] =
      card.production && plain[0]
        ? [
            broken("an interface of a production deployment has a plain http address", {
              saw: brief(plain[0].url),
              want: wantedAddress,
            }),
          ]
        : [];
    return [...inProduction, ...linted(card, "CARD-014", wantedAddress, { overlooked: "plain-http" }), holds()];
  },
});

const wantedOrder = "each combination once, the preferred one first, always in the same order";

/** The agent's real preference is unknown, but a changing order is visible. */
export const interfacesKeepTheirOrder = activeCheck("CARD-018", {
  uses: { cardAgain },
  once: true,
  judge({ cardAgain: { plain, withOtherTag } }, { facts: { card } }): Finding {
    if (olderVersion(card) !== undefined) return holds();
    const orders = [card, jsonBodyOf(plain), jsonBodyOf(withOtherTag)].flatMap((json) => {
      const list = asObject(json)?.["supportedInterfaces"];
      return Array.isArray(list) ? [list.map((entry) => JSON.stringify(entry))] : [];
    });
    const [first = [], ...others] = orders;
    // A card with other interfaces is a different card, which may have another order.
    const isSameSet = (order: readonly string[]): boolean => order.toSorted().join() === first.toSorted().join();
    const other = others.find((order) => isSameSet(order) && order.join() !== first.join());
    if (other) {
      return broken("the order of interfaces on the card changes between requests", {
        saw: `first ${brief(first[0], 70)}, then ${brief(other[0], 70)}`,
        want: wantedOrder,
        at: [plain, withOtherTag],
      });
    }
    return linted({ json: card }, "CARD-018", wantedOrder)[0] ?? holds();
  },
});

/** If no call succeeds, the observation fails this rule. */
export const interfacesWork = activeCheck("CARD-016", {
  uses: { firstContact },
  judge: () => holds(),
});

/** Returns the main address of the card and its transport: JSON-RPC if the card does not say. */
const mainPair = (card: JsonObject): { readonly url: string | undefined; readonly transport: string } => ({
  url: asText(card["url"]),
  transport: asText(card["preferredTransport"]) ?? "JSONRPC",
});

/** Normalizes an address. */
export const plain = (url: unknown): string => {
  const text = asText(url) ?? "";
  return (URL.canParse(text) ? new URL(text).href : text).replace(/\/+$/, "");
};

const listed = (card: JsonObject): readonly JsonObject[] => asObjects(card["additionalInterfaces"]);

export const preferredTransportIsNamed = cardCheck("V03-CARD-003", {
  judge({ json }) {
    const value = json["preferredTransport"];
    const want = "preferredTransport: JSONRPC, GRPC or HTTP+JSON";
    if (value === undefined || value === null) {
      return breach("transport-left-out", "preferredTransport is missing, so clients must assume JSONRPC", {
        saw: "no preferredTransport",
        want,
      });
    }
    if (typeof value === "string") return holds();
    return broken("preferredTransport is not a string", { saw: `preferredTransport: ${brief(value)}`, want });
  },
});

export const mainPairIsRepeated = cardCheck("V03-CARD-006", {
  judge({ json }) {
    const { url, transport } = mainPair(json);
    if (url === undefined) return notApplicable("the card has no main address");
    if (listed(json).length === 0) return notApplicable("the card lists no additional interface");
    const isListed = listed(json).some(
      (entry) => plain(entry["url"]) === plain(url) && asText(entry["transport"]) === transport,
    );
    if (isListed) return holds();
    return broken("additionalInterfaces omits the main address and its transport", {
      saw: brief(listed(json)),
      want: `an entry ${JSON.stringify({ url, transport })}`,
    });
  },
});

export const addressesDoNotConflict = cardCheck("V03-CARD-007", {
  judge({ json }) {
    const { url, transport } = mainPair(json);
    if (url === undefined || listed(json).length === 0) return notApplicable("the card lists no address twice");
    const same = listed(json).filter((entry) => plain(entry["url"]) === plain(url));
    const [other] = same;
    // One address may speak several transports; a wrong one shows when it is called (CARD-016).
    if (!other || same.some((entry) => asText(entry["transport"]) === transport)) return holds();
    return breach("other-transport", "the card lists the main address with another transport than the preferred one", {
      saw: `preferredTransport: ${transport}; additionalInterfaces: ${brief(other)}`,
      want: "the same transport for the same address, or both listed",
    });
  },
});

const version: HeaderPairs = [["A2A-Version", "1.0"]];

interface Asked {
  readonly name: string;
  readonly ask: (url: string, id: string) => RequestSpec;
  readonly isServed: (answer: JsonObject) => boolean;
}

const rpc = (method: string, more: HeaderPairs): Asked => ({
  name: "JSONRPC",
  ask: (url, id) => ({
    method: "POST",
    url,
    headers: [["Content-Type", "application/json"], ["Accept", "application/json"], ...more],
    body: Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: "assay", method, params: { id } })),
  }),
  isServed: (answer) =>
    answer["jsonrpc"] === "2.0" && asObject(answer["error"])?.["code"] === errorTable.TaskNotFound.code,
});

const rest = (path: string, more: HeaderPairs, isServed: Asked["isServed"]): Asked => ({
  name: "HTTP+JSON",
  ask: (url, id) => ({
    method: "GET",
    url: `${url.replace(/\/+$/, "")}${path}${encodeURIComponent(id)}`,
    headers: [["Accept", "application/a2a+json, application/json"], ...more],
  }),
  isServed,
});

const hasReason = (answer: JsonObject): boolean =>
  asList(asObject(answer["error"])?.["details"]).some(
    (detail) => asObject(detail)?.["reason"] === errorTable.TaskNotFound.reason,
  );

/** The requests for an unknown task over HTTP, and the response that only A2A gives. */
const bindings: Readonly<Partial<Record<DialectVersion, readonly Asked[]>>> = {
  "1.0": [rpc("GetTask", version), rest("/tasks/", version, hasReason)],
  // 0.3 does not define errors here; some servers write the JSON-RPC number.
  "0.3": [
    rpc("tasks/get", []),
    rest("/v1/tasks/", [], (answer) => answer["code"] === errorTable.TaskNotFound.code || hasReason(answer)),
  ],
};

/**
 * Clients do not use a binding that the card does not list. Only known addresses are tried: those of the HTTP
 * interfaces. 1.0 requires it twice, once as a MUST and once as a SHOULD (AMB-24).
 */
export const servedBindingsAreListed = activeCheck("CARD-017", {
  once: true,
  async judge(_seen, target) {
    const { dialect } = target.on;
    const listed = dialect === "1.0" ? listedIn(target.facts.card) : olderIn(target.facts, dialect);
    if (dialect !== "1.0" && listed.length === 0) return notApplicable(`the card declares no interface of ${dialect}`);
    const urls = target.sameVersion.flatMap(({ on }) => (on.binding === "GRPC" ? [] : [on.url]));
    if (urls.length === 0) return notApplicable("the card declares no interface over HTTP");
    const unlisted = (bindings[dialect] ?? []).filter(({ name }) => !listed.includes(name));
    for (const { name, ask, isServed } of unlisted) {
      for (const url of new Set(urls)) {
        const exchange = await target.fetch(ask(url, target.unknownId()));
        const answer = asObject(jsonBodyOf(exchange));
        if (!answer || !isServed(answer)) continue;
        return breach(
          "unlisted-binding",
          `the agent speaks ${name} at an address of the card, but the card does not list it`,
          {
            saw: `a ${name} response to GetTask at ${url}`,
            want: `an entry for ${name} among the interfaces of the card`,
            at: exchange,
          },
        );
      }
    }
    return holds();
  },
});

/** Normalizes binding names; other rules judge misspelt names and missing addresses. */
const listedIn = (card: JsonObject): readonly string[] =>
  asList(card["supportedInterfaces"]).flatMap((entry) => {
    const { protocolBinding: name, protocolVersion: spoken = "1.0" } = asObject(entry) ?? {};
    return typeof name === "string" && asText(spoken)?.startsWith("1") ? [meant(name)] : [];
  });

const olderIn = ({ declared }: AgentFacts, dialect: DialectVersion): readonly string[] =>
  declared.flatMap((entry) => (entry.dialect === dialect ? [meant(entry.binding)] : []));

function meant(name: string): string {
  const bare = name.toLowerCase().replace(/[^a-z]/g, "");
  if (bare.includes("jsonrpc")) return "JSONRPC";
  return /rest|http/.test(bare) ? "HTTP+JSON" : name;
}
