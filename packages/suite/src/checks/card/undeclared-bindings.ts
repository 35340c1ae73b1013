import { errorTable, type JsonObject } from "@assay/protocol";
import type { HeaderPairs, RequestSpec } from "@assay/wire";
import { probe } from "../../check.ts";
import { holds, notApplicable, odd } from "../../finding.ts";
import { asList, asObject, jsonBodyOf } from "../../reading.ts";

const version: HeaderPairs = [["A2A-Version", "1.0"]];

/** What is written over HTTP, how a task that nobody has is asked for, and the answer that only A2A 1.0 gives. */
const bindings = [
  {
    name: "JSONRPC",
    ask: (url: string, id: string): RequestSpec => ({
      method: "POST",
      url,
      headers: [["Content-Type", "application/json"], ["Accept", "application/json"], ...version],
      body: Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: "assay", method: "GetTask", params: { id } })),
    }),
    isServed: (answer: JsonObject): boolean =>
      answer["jsonrpc"] === "2.0" && asObject(answer["error"])?.["code"] === errorTable.TaskNotFound.code,
  },
  {
    name: "HTTP+JSON",
    ask: (url: string, id: string): RequestSpec => ({
      method: "GET",
      url: `${url.replace(/\/+$/, "")}/tasks/${encodeURIComponent(id)}`,
      headers: [["Accept", "application/a2a+json, application/json"], ...version],
    }),
    isServed: (answer: JsonObject): boolean =>
      asList(asObject(answer["error"])?.["details"]).some(
        (detail) => asObject(detail)?.["reason"] === errorTable.TaskNotFound.reason,
      ),
  },
];

/**
 * A binding that is served and not listed is one that nobody will use. Only what can be asked at a known address is
 * tried: those of the interfaces over HTTP. The text asks for it twice, once as a MUST and once as a SHOULD (AMB-24).
 */
export const servedBindingsAreListed = probe({
  id: "CARD-017",
  title: "every binding that the agent speaks is on its card",
  remedy: "Add an entry to `supportedInterfaces` for every binding that is served, or stop serving it.",
  uses: {},
  once: true,
  async probe(_seen, lab) {
    const listed = listedIn(lab.facts.card);
    const urls = lab.siblings.flatMap(({ on }) => (on.binding === "GRPC" ? [] : [on.url]));
    if (urls.length === 0) return notApplicable("the card declares no interface over HTTP");
    const unlisted = bindings.filter(({ name }) => !listed.includes(name));
    for (const { name, ask, isServed } of unlisted) {
      for (const url of new Set(urls)) {
        const exchange = await lab.fetch(ask(url, lab.unknownId()));
        const answer = asObject(jsonBodyOf(exchange));
        if (!answer || !isServed(answer)) continue;
        return odd(`${name} is spoken at an address of the card, which does not list it`, {
          saw: `an answer of ${name} to GetTask at ${url}`,
          want: `an entry with protocolBinding ${name} in supportedInterfaces`,
          at: exchange,
        });
      }
    }
    return holds();
  },
});

/** Names of bindings as they were meant: one that is misspelt, or has no address, has its own rule. */
const listedIn = (card: JsonObject): readonly string[] =>
  asList(card["supportedInterfaces"]).flatMap((entry) => {
    const { protocolBinding: name, protocolVersion: spoken = "1.0" } = asObject(entry) ?? {};
    if (typeof name !== "string" || !String(spoken).startsWith("1")) return [];
    const bare = name.toLowerCase().replace(/[^a-z]/g, "");
    if (bare.includes("jsonrpc")) return ["JSONRPC"];
    return /rest|http/.test(bare) ? ["HTTP+JSON"] : [name];
  });
