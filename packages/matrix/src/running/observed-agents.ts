import type { JsonObject } from "@assay/protocol";
import type { MatrixExchange } from "../document/evidence.ts";
import { narrowedCard, type Spoken } from "./narrowed-card.ts";
import { ObservedAgent } from "./observed-agent.ts";

export interface ObservedAgentsOptions {
  /** addresses by the names of agents */
  readonly agents: Readonly<Record<string, string>>;
  readonly spoken: Spoken;
  /** prefix of exchange ids */
  readonly idPrefix: string;
  /** of this tool */
  readonly version: string;
}

/** The agents of a server, each behind a proxy that is opened on first use. */
export class ObservedAgents {
  readonly #options: ObservedAgentsOptions;
  readonly #open = new Map<string, Promise<ObservedAgent>>();

  constructor(options: ObservedAgentsOptions) {
    this.#options = options;
  }

  /** `isWhole`: the client gets the whole card, because the scenario is about it. */
  of(name: string, isWhole: boolean): Promise<ObservedAgent> {
    const key = `${name}${isWhole ? "-card" : ""}`;
    const { agents, spoken, idPrefix, version } = this.#options;
    const watched =
      this.#open.get(key) ??
      ObservedAgent.open({
        agent: agents[name]!,
        idPrefix: `${idPrefix}${key}-`,
        version,
        ...(!isWhole && { offer: (card: JsonObject) => narrowedCard(card, spoken) }),
      });
    this.#open.set(key, watched);
    return watched;
  }

  /** Ends pending exchanges and returns all of them. */
  async close(): Promise<readonly MatrixExchange[]> {
    const watched = await Promise.all(this.#open.values());
    return (await Promise.all(watched.map((agent) => agent.close()))).flat();
  }
}
