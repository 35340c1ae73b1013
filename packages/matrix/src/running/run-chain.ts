import { randomUUID } from "node:crypto";
import type { JsonObject } from "@assay/protocol";
import {
  chooseInterface,
  createEgressGuard,
  createPeer,
  createPeerClients,
  discoverCard,
  type PeerClients,
  readFoundCard,
} from "@assay/wire";
import type { Chain, ChainEdge } from "../document/chain.ts";
import type { MatrixExchange } from "../document/evidence.ts";
import { agentFor } from "./agent-for.ts";
import { narrowedCard, type Spoken } from "./narrowed-card.ts";
import { ObservedAgent } from "./observed-agent.ts";
import { bindingWords } from "./pairing.ts";
import type { ChainRecord } from "./record.ts";

/**
 * Returns a walk that visits every directed edge between two places exactly once and ends where it began. A
 * complete graph has one, and Hierholzer's algorithm finds it. The first place is repeated at the end.
 */
export function roundTrip(places: readonly string[]): readonly string[] {
  const left = new Map(places.map((place) => [place, places.filter((other) => other !== place)]));
  const walk: string[] = [];
  const way = places.slice(0, 1);
  while (way.length) {
    const here = way.at(-1)!;
    const next = left.get(here)!.shift();
    if (next === undefined) walk.push(way.pop()!);
    else way.push(next);
  }
  return walk.toReversed();
}

interface ChainOptions {
  readonly spoken: Spoken;
  /** the agents of the servers that take part, by driver name */
  readonly servers: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /** of this tool */
  readonly version: string;
  readonly signal: AbortSignal;
}

/** Timeout of one instruction. */
const patienceMs = 15_000;

/**
 * Relays one instruction from server to server, so that each asks every other one once. If it breaks, the
 * edge is blamed, and another instruction starts after it.
 */
export async function runChain(options: ChainOptions): Promise<Omit<ChainRecord, "seal">> {
  return new ChainRun(options).run();
}

export const chainId = ({ binding, version }: Spoken): string => `chain/${bindingWords[binding]}/${version}`;

interface Edge {
  readonly from: string;
  readonly to: string;
  readonly watched: ObservedAgent;
}

class ChainRun {
  readonly #options: ChainOptions;
  readonly #startedAt = performance.now();
  readonly #exchanges: MatrixExchange[] = [];
  readonly #clients: PeerClients;
  #instructions = 0;

  constructor(options: ChainOptions) {
    this.#options = options;
    this.#clients = createPeerClients({
      guard: createEgressGuard({ trustedHosts: ["127.0.0.1"], allowLoopback: true }),
      timeouts: { idle: patienceMs, total: patienceMs },
    });
  }

  async run(): Promise<Omit<ChainRecord, "seal">> {
    const { servers, spoken, signal } = this.#options;
    const walk = roundTrip([...servers.keys()]);
    const edges: ChainEdge[] = [];
    while (edges.length < walk.length - 1 && !signal.aborted)
      edges.push(...(await this.#instruct(walk.slice(edges.length))));
    for (let at = edges.length; at < walk.length - 1; at++)
      edges.push({ from: walk[at]!, to: walk[at + 1]!, outcome: "not-run", because: "interrupted", exchanges: [] });
    await this.#clients.close();
    const duration_ms = Math.round(performance.now() - this.#startedAt);
    const chain: Chain = {
      ...spoken,
      servers: [...servers.keys()],
      edges,
      instructions: this.#instructions,
      duration_ms,
    };
    return { is: "chain", id: this.#id, duration_ms, chain, exchanges: this.#exchanges };
  }

  get #id(): string {
    return chainId(this.#options.spoken);
  }

  #agentOf(server: string): string {
    const agents = this.#options.servers.get(server)!;
    return agents[agentFor("spec", this.#options.spoken.version, agents)]!;
  }

  /** Relays one instruction along a walk; returns the edges up to the broken one. */
  async #instruct(walk: readonly string[]): Promise<readonly ChainEdge[]> {
    this.#instructions += 1;
    const edges: Edge[] = [];
    for (const [index, to] of walk.slice(1).entries())
      edges.push({ from: walk[index]!, to, watched: await this.#watch(to, `${index + 1}`) });
    const token = randomUUID();
    const text = [...edges.map(({ watched }) => `relay ${watched.url}`), `message-only ${token}`].join(" ");
    const answer = await this.#send(walk[0]!, text);
    const seen = edges.map((edge) => callsOn(edge.watched));
    const outcomes = edges.map(({ from, to }, index) => ({
      from,
      to,
      ids: edges[index]!.watched.ids,
      ok: seen[index]!,
    }));
    for (const { watched } of edges) this.#exchanges.push(...(await watched.close()));
    if (answer.includes(token))
      return outcomes.map(({ from, to, ids }) => ({ from, to, outcome: "passed", exchanges: ids }));
    const broken = brokenAt(outcomes.map(({ ok }) => ok));
    return outcomes
      .slice(0, broken + 1)
      .map(({ from, to, ids, ok }, index) =>
        index < broken
          ? { from, to, outcome: "passed", exchanges: ids }
          : { from, to, outcome: "failed", because: because(from, to, ok, answer), exchanges: ids },
      );
  }

  #watch(server: string, name: string): Promise<ObservedAgent> {
    const { spoken, version } = this.#options;
    return ObservedAgent.open({
      agent: this.#agentOf(server),
      idPrefix: `${this.#id}/${this.#instructions}/${name}-`,
      version,
      offer: (card: JsonObject) => narrowedCard(card, spoken),
    });
  }

  /** Returns all texts of the answer, or why there is none. */
  async #send(server: string, text: string): Promise<string> {
    const { spoken, signal } = this.#options;
    const { found } = await discoverCard(this.#clients.http, this.#agentOf(server), []);
    if (!found) return "the first server has no card";
    const { interfaces } = await readFoundCard(this.#clients.http, { json: found.json });
    const on = chooseInterface(interfaces, { binding: spoken.binding, dialect: spoken.version });
    if (!on) return "the first server does not declare it";
    const message = { messageId: randomUUID(), role: "ROLE_USER" as const, parts: [{ text }] };
    const answer = await createPeer(this.#clients, on).call("SendMessage", { message }, signal);
    return answer.is === "value" ? JSON.stringify(answer.value) : `${answer.is}`;
  }
}

/** The exchange on an edge: nothing, a request without a correct response, or both. */
type Crossing = "nothing" | "refused" | "answered";

function callsOn(watched: ObservedAgent): Crossing {
  const calls = watched.ids.flatMap((id) => {
    const wire = watched.wire(id);
    return wire?.is === "call" ? [wire.reply] : [];
  });
  const last = calls.at(-1);
  if (!last) return watched.ids.some((id) => !watched.isOver(id)) ? "refused" : "nothing";
  return last.is === "result" || last.is === "stream" ? "answered" : "refused";
}

/**
 * Returns the edge at which a chain broke: the first without an exchange, or the last without a correct
 * response.
 */
function brokenAt(crossings: readonly Crossing[]): number {
  const silent = crossings.indexOf("nothing");
  const reached = silent === -1 ? crossings.length : silent;
  const refused = crossings.slice(0, reached).lastIndexOf("refused");
  if (refused === reached - 1 && refused !== -1) return refused;
  return silent === -1 ? crossings.length - 1 : silent;
}

function because(from: string, to: string, crossing: Crossing, answer: string): string {
  switch (crossing) {
    case "nothing":
      return `the client of ${from} sent nothing to ${to}; the result was: ${answer.slice(0, 300)}`;
    case "refused":
      return `${to} gave no correct answer to the client of ${from}`;
    case "answered":
      return `${from} could not read the answer of ${to}; the result was: ${answer.slice(0, 300)}`;
  }
}
