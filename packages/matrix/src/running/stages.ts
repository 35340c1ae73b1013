import type { JsonObject } from "@assay/protocol";
import type { MatrixExchange } from "../document/evidence.ts";
import { narrowedCard, type Spoken } from "./narrowed-card.ts";
import { OverheardAgent } from "./overheard-agent.ts";

export interface StagesOptions {
  /** addresses by the names of agents */
  readonly agents: Readonly<Record<string, string>>;
  readonly spoken: Spoken;
  /** goes before the ids of exchanges */
  readonly idPrefix: string;
  /** of this tool */
  readonly version: string;
}

/** The agents of a server, each behind a proxy that is opened when a client first faces it. */
export class Stages {
  readonly #options: StagesOptions;
  readonly #open = new Map<string, Promise<OverheardAgent>>();

  constructor(options: StagesOptions) {
    this.#options = options;
  }

  /** `isWhole`: the client is offered all of the card, which is what is looked at. */
  of(agent: string, isWhole: boolean): Promise<OverheardAgent> {
    const key = `${agent}${isWhole ? "-card" : ""}`;
    const { agents, spoken, idPrefix, version } = this.#options;
    const stage =
      this.#open.get(key) ??
      OverheardAgent.open({
        agent: agents[agent]!,
        idPrefix: `${idPrefix}${key}-`,
        version,
        ...(!isWhole && { offer: (card: JsonObject) => narrowedCard(card, spoken) }),
      });
    this.#open.set(key, stage);
    return stage;
  }

  /** Ends what is under way, and gives everything that crossed. */
  async close(): Promise<readonly MatrixExchange[]> {
    const stages = await Promise.all(this.#open.values());
    return (await Promise.all(stages.map((stage) => stage.close()))).flat();
  }
}
