import { startTestbed, type Testbed } from "@assay/agents";
import type { AgentDefinition } from "@assay/agents/making";
import {
  type AgentOffer,
  createRequestReader,
  offerOf,
  type SentNotification,
  type SpokenInterface,
} from "@assay/suite";
import { type Exchange, Recording } from "@assay/wire";
import { ServedRecorder, type StrayBytes } from "@assay/wire/served-recorder";
import { openSecondAddress } from "./second-address.ts";
import { openUntrustedFront } from "./untrusted-front.ts";

/** The agent that a client faces in a situation, and what is arranged before the client comes. */
export interface Stage {
  /** for a client that is offered this version over this binding */
  readonly agent: (offered: SpokenInterface, witness: NotificationWitness, elsewhere: string) => AgentDefinition;
  /** further agents beside it, at paths of their own */
  readonly others?: (offered: SpokenInterface) => readonly AgentDefinition[];
  readonly arrange?: (bed: Testbed, path: string) => Promise<Arranged>;
  /** it is reached over TLS, with a certificate that there is no reason to trust */
  readonly untrusted?: true;
  /** it has a second address, which `agent` is told as `elsewhere`; without this, that is empty */
  readonly twoAddresses?: true;
}

/** Is told of every notification that goes to the webhook of the client. */
export type NotificationWitness = (sent: SentNotification) => void;

/** What a client is told besides the address of the agent. */
export interface Arranged {
  /** more of its environment, as in `ASSAY_TASK` */
  readonly env?: Readonly<Record<string, string>>;
  /** ids that it is told by it */
  readonly told?: readonly string[];
}

/** An agent on a port of its own while a client faces it. */
export interface OpenStage {
  readonly url: string;
  readonly agent: AgentOffer;
  readonly arranged: Arranged;
  /** what the client sent so far, in the order in which it was over */
  readonly exchanges: readonly Exchange[];
  readonly strays: readonly StrayBytes[];
  readonly notifications: readonly SentNotification[];
  /** how often a client was put off by the certificate of the agent */
  readonly distrusted: () => number;
  readonly read: Awaited<ReturnType<typeof createRequestReader>>;
  close(): Promise<void>;
}

/** Where the agent of every situation is, below its own address. */
export const agentPath = "agent";

/** Delays of skills are for people who watch. */
const timeScale = 0.1;

export async function openStage(
  { agent, others, arrange, untrusted, twoAddresses }: Stage,
  offered: SpokenInterface,
  { version, recording = new Recording(), onExchange }: StageOptions,
): Promise<OpenStage> {
  const strays: StrayBytes[] = [];
  const notifications: SentNotification[] = [];
  const exchanges: Exchange[] = [];
  const second = twoAddresses && (await openSecondAddress());
  const bed = await startTestbed({
    host: "127.0.0.1",
    port: 0,
    version,
    timeScale,
    agents: [agent(offered, (sent) => notifications.push(sent), second?.url ?? ""), ...(others?.(offered) ?? [])],
    root: agentPath,
    recorder: new ServedRecorder(recording, (stray) => strays.push(stray)),
  });
  second?.leadTo(bed.port);
  const front = untrusted && (await openUntrustedFront(bed.port));
  const close = async (): Promise<void> => {
    await front?.close();
    await second?.close();
    // What the client left open is cut off, and recorded as such.
    await bed.close(0);
  };
  try {
    const card = await bed.cardOf(agentPath)!;
    const offer = spokenAs(offered, offerOf(card, `${bed.url}/.well-known/agent-card.json`));
    const arranged = (await arrange?.(bed, agentPath)) ?? {};
    const stop = recording.onExchange((exchange) => {
      exchanges.push(exchange);
      onExchange?.(exchange);
    });
    return {
      url: front?.url ?? bed.url,
      agent: offer,
      arranged,
      exchanges,
      strays,
      notifications,
      distrusted: () => front?.distrusted() ?? 0,
      read: await createRequestReader(offer),
      async close() {
        await close();
        stop();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The card of 0.1 does not say that it is one, and is otherwise taken for one of 0.2. */
const spokenAs = ({ dialect }: SpokenInterface, offer: AgentOffer): AgentOffer =>
  dialect === "0.1" ? { ...offer, interfaces: offer.interfaces.map((on) => ({ ...on, dialect })) } : offer;

interface StageOptions {
  /** of this tool */
  readonly version: string;
  readonly recording?: Recording;
  readonly onExchange?: (exchange: Exchange) => void;
}
