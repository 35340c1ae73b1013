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

/** An agent of the test bed, and what clients sent to it. */
interface Counterpart {
  readonly offer: AgentOffer;
  readonly read: RequestReader;
  /** by the address of the client, the last of its requests */
  readonly before: Map<string, ClientRequest[]>;
}

/** So many requests of a client are remembered, and so many clients of an agent. */
const rememberedRequests = 20;
const rememberedClients = 50;

/** Judges what clients send to the agents of a test bed, one request after another. */
export class TrafficJudge {
  readonly #bed: Pick<Testbed, "url" | "cardOf" | "families">;
  readonly #root: string;
  readonly #known = new Map<string, Promise<Counterpart | undefined>>();

  /** `root` is the agent that answers where no path names one. */
  constructor(bed: Pick<Testbed, "url" | "cardOf" | "families">, root: string) {
    this.#bed = bed;
    this.#root = root;
  }

  /** What a request breaks: failures and warnings, as a test of the client would tell them. */
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
    // Names of agents are few; what is no name is not kept.
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

/** Which agent of a test bed is asked, by its path; over gRPC the one at the root, which is reached without a tenant. */
export async function agentNameIn(exchange: Exchange, bed: Pick<Testbed, "families">, root: string): Promise<string> {
  const [, first = "", second = ""] = new URL(exchange.http.request.url).pathname.split("/");
  const isFamily = first === "mutants" || first === "variants";
  if (isFamily) await bed.families();
  return isGrpcCall(exchange) ? root : isFamily ? `${first}/${second}` : first;
}

/** What the same client sent before; the request is remembered behind it. */
function remember({ before }: Counterpart, client: string, request: ClientRequest): readonly ClientRequest[] {
  const earlier = before.get(client) ?? [];
  before.delete(client);
  before.set(client, [...earlier, request].slice(-rememberedRequests));
  if (before.size > rememberedClients) before.delete(before.keys().next().value!);
  return earlier;
}
