import type { Testbed } from "@assay/agents";
import {
  type AgentOffer,
  ClientReporting,
  type ClientRequest,
  createRequestReader,
  judgeCall,
  offerOf,
  type RequestReader,
} from "@assay/suite";
import type { ConformanceResult } from "@assay/suite/report";
import { createMasker, type Exchange, isGrpcCall } from "@assay/wire";

/** An agent of the test bed with the requests of its clients. */
interface Counterpart {
  readonly offer: AgentOffer;
  readonly read: RequestReader;
  /** the latest requests, by client address */
  readonly before: Map<string, ClientRequest[]>;
}

/** Limits of the memory: requests per client, and clients per agent. */
const rememberedRequests = 20;
const rememberedClients = 50;

/** Judges the requests of clients to the agents of a test bed, one by one. */
export class TrafficJudge {
  readonly #bed: Pick<Testbed, "url" | "cardOf" | "families">;
  readonly #root: string;
  readonly #known = new Map<string, Promise<Counterpart | undefined>>();

  /** `root` is the agent for requests whose path names none. */
  constructor(bed: Pick<Testbed, "url" | "cardOf" | "families">, root: string) {
    this.#bed = bed;
    this.#root = root;
  }

  /** Returns the failures and warnings of a request, as in a client test. */
  async judge(exchange: Exchange): Promise<readonly ConformanceResult[]> {
    const counterpart = await this.#counterpartOf(exchange);
    if (!counterpart) return [];
    const { offer, read } = counterpart;
    const request = read(exchange);
    const before = remember(counterpart, exchange.remote?.address ?? "", request);
    if (request.is !== "call") return [];
    const results: ConformanceResult[] = [];
    const report = new ClientReporting({ masker: createMasker([]) }, (event) => {
      if (event.event === "check-finished") results.push(event.result);
    });
    for (const { check, findings } of judgeCall(request, { agent: offer, before }))
      report.finding(check, { dialect: request.on.dialect, on: request.on }, findings);
    return results.filter(({ verdict, warning }) => verdict === "fail" || warning !== undefined);
  }

  async #counterpartOf(exchange: Exchange): Promise<Counterpart | undefined> {
    return (await this.#open(await agentNameIn(exchange, this.#bed, this.#root))) ?? this.#open(this.#root);
  }

  #open(name: string): Promise<Counterpart | undefined> {
    const known = this.#known.get(name) ?? this.#make(name);
    // There are few agent names; unknown names are not cached.
    void known.then((found) => found && this.#known.set(name, known));
    return known;
  }

  async #make(name: string): Promise<Counterpart | undefined> {
    const card = name === "" ? undefined : await this.#bed.cardOf(name);
    if (!card) return undefined;
    const offer = offerOf(card, `${this.#bed.url}/${name}/.well-known/agent-card.json`);
    return { offer, read: await createRequestReader(offer), before: new Map() };
  }
}

/** Returns the agent that a request addresses, by its path. Over gRPC that is the root agent, which needs no tenant. */
export async function agentNameIn(exchange: Exchange, bed: Pick<Testbed, "families">, root: string): Promise<string> {
  const [, first = "", second = ""] = new URL(exchange.http.request.url).pathname.split("/");
  const isFamily = first === "mutants" || first === "variants";
  if (isFamily) await bed.families();
  return isGrpcCall(exchange) ? root : isFamily ? `${first}/${second}` : first;
}

/** Returns the earlier requests of the same client, and stores this one. */
function remember({ before }: Counterpart, client: string, request: ClientRequest): readonly ClientRequest[] {
  const earlier = before.get(client) ?? [];
  before.delete(client);
  before.set(client, [...earlier, request].slice(-rememberedRequests));
  if (before.size > rememberedClients) before.delete(before.keys().next().value!);
  return earlier;
}
