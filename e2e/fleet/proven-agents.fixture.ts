import type { Server } from "node:http";
import { startTestbed } from "@assay/agents";
import { addressOf, gallery } from "@assay/agents/gallery";
import type { AgentClass } from "@assay/fleet";
import { freePort } from "../fixtures/free-port.fixture.ts";
import { galleryClasses, startTiny, tinyAgents } from "./exhibits.fixture.ts";

/** An agent of the list, and the class that it belongs to. */
export interface ProvenAgent {
  readonly name: string;
  readonly url: string;
  readonly is: AgentClass;
  /** by reference, as lists have it */
  readonly login?: { readonly bearer: string };
}

export interface ProvenAgents {
  readonly agents: readonly ProvenAgent[];
  close(): Promise<void>;
}

interface AgentKind extends Omit<ProvenAgent, "url"> {
  readonly at: (round: number) => Promise<string>;
}

/** How many test beds there are, each with an address of its own. */
const beds = 3;

/** Agents of the test bed that work, asked without a login and without a message. */
const good = ["spec", "minimal", "full", "strict", "spec03", "echo"];

/** What a short list begins with: different in everything, and none of it takes long. */
const quick = ["card-404", "dead", "endpoint-401", "echo", "website", "no-interfaces"];

const firstOf = (name: string): number | undefined => (quick.includes(name) ? quick.indexOf(name) : undefined);

/** Exhibits of which each costs seconds of silence: few of them are enough. */
const slow = ["stalled-card"];

/**
 * So many agents on addresses of this machine: good ones, faulty ones, slow ones, dead ones, hostile ones. Of each kind as many as there
 * is room for, the kinds that take no time the most; every kind is there when there are a hundred.
 */
export async function startAgents(count: number): Promise<ProvenAgents> {
  const testbeds = await Promise.all(
    Array.from({ length: beds }, () => startTestbed({ host: "127.0.0.1", port: 0, version: "test", timeScale: 0.02 })),
  );
  const servers: Server[] = [];
  const kinds: AgentKind[] = [];
  const bed = (round: number): string => testbeds[round % beds]!.url;
  for (const exhibit of gallery.filter(({ id }) => id in galleryClasses && !slow.includes(id))) {
    const [is] = galleryClasses[exhibit.id]!;
    kinds.push({ name: exhibit.id, is, at: async (round) => `${bed(round)}${addressOf(exhibit)}` });
  }
  for (const path of good) kinds.push({ name: path, is: "working", at: async (round) => `${bed(round)}/${path}` });
  for (const tiny of tinyAgents) {
    const at = async (): Promise<string> => {
      const { url, server } = await startTiny(tiny);
      servers.push(server);
      return url;
    };
    kinds.push({ name: tiny.named, is: tiny.is[0], at });
  }
  kinds.push({ name: "dead", is: "unreachable", at: async () => `http://127.0.0.1:${await freePort()}/` });
  const secure = async (round: number): Promise<string> => `${bed(round)}/secure`;
  kinds.push({ name: "secure", is: "login-required", at: secure });
  // What no worker has is no fault of the agent.
  kinds.push({ name: "login missing", is: "not-examined", at: secure, login: { bearer: "env:E2E_NOT_SET" } });
  // One of each kind first, in an order in which the slow and the quick, the good and the bad are mixed.
  const places = new Map(
    kinds.map(({ name }, index) => [name, firstOf(name) ?? quick.length + ((index * 17) % kinds.length)]),
  );
  const mixed = kinds.toSorted((a, b) => places.get(a.name)! - places.get(b.name)!);
  const agents: ProvenAgent[] = [];
  for (let round = 0; agents.length < count; round++)
    for (const { name, at, ...kind } of mixed.slice(0, count - agents.length))
      agents.push({ name: `${name} ${round + 1}`, url: await at(round), ...kind });
  return {
    agents,
    async close() {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
      await Promise.all(testbeds.map((testbed) => testbed.close(0)));
    },
  };
}
