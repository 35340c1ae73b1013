import { type DialectVersion, errorTable, type JsonObject } from "@assay/protocol";
import type { HeaderPairs, RequestSpec } from "@assay/wire";
import { asList, asObject, jsonBodyOf } from "../../answers/reading.ts";
import type { AgentFacts } from "../../card/agent-facts.ts";
import { activeCheck } from "../../define/check.ts";
import { breach, holds, notApplicable } from "../../define/finding.ts";

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

/** What is written over HTTP, how an unknown task is asked for, and the answer that only A2A gives. */
const bindings: Readonly<Partial<Record<DialectVersion, readonly Asked[]>>> = {
  "1.0": [rpc("GetTask", version), rest("/tasks/", version, hasReason)],
  // How 0.3 writes an error there is not said; some write the number that JSON-RPC has for it.
  "0.3": [
    rpc("tasks/get", []),
    rest("/v1/tasks/", [], (answer) => answer["code"] === errorTable.TaskNotFound.code || hasReason(answer)),
  ],
};

/**
 * A binding that is served and not listed is one that no client will use. Only what can be asked at a known address is
 * tried: those of the interfaces over HTTP. The text of 1.0 asks for it twice, once as a MUST and once as a SHOULD (AMB-24).
 */
export const servedBindingsAreListed = activeCheck({
  id: "CARD-017",
  title: "every binding that the agent speaks is on its card",
  remedy:
    "Add an entry to `supportedInterfaces` (before 1.0 `additionalInterfaces`) for every binding that is served, or stop serving it.",
  uses: {},
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
        return breach("unlisted-binding", `${name} is spoken at an address of the card, which does not list it`, {
          saw: `an answer of ${name} to GetTask at ${url}`,
          want: `an entry for ${name} among the interfaces of the card`,
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
    return typeof name === "string" && String(spoken).startsWith("1") ? [meant(name)] : [];
  });

const olderIn = ({ declared }: AgentFacts, dialect: DialectVersion): readonly string[] =>
  declared.flatMap((entry) => (entry.dialect === dialect ? [meant(entry.binding)] : []));

function meant(name: string): string {
  const bare = name.toLowerCase().replace(/[^a-z]/g, "");
  if (bare.includes("jsonrpc")) return "JSONRPC";
  return /rest|http/.test(bare) ? "HTTP+JSON" : name;
}
