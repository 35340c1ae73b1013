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
import type { ClientEnvironment } from "./options.ts";
import { openSecondAddress } from "./second-address.ts";
import { openUntrustedFront } from "./untrusted-front.ts";

/** The agent that a client meets in a situation, and its preparation. */
export interface Stage {
  /** the agent for a client that gets this version over this binding */
  readonly agent: (offered: SpokenInterface, witness: NotificationWitness, elsewhere: string) => AgentDefinition;
  /** further agents, each at a path that no other situation has */
  readonly others?: (offered: SpokenInterface) => readonly AgentDefinition[];
  readonly arrange?: (bed: Testbed, path: string) => Promise<Arranged>;
  /** served over TLS with a certificate that clients must not trust */
  readonly untrusted?: true;
  /** has a second address, passed to `agent` as `elsewhere`; if that is empty, only "wanted" works */
  readonly twoAddresses?: "needed" | "wanted";
  /** the path of another agent at the root of the address, so that this one has an address with a path */
  readonly rootPath?: string;
  /** faults on the way to the agent, as in `--fault` */
  readonly faults?: readonly string[];
}

/** Called for every notification to the client's webhook. */
export type NotificationWitness = (sent: SentNotification) => void;

/** Information for the client besides the address of the agent. */
export interface Arranged {
  readonly env?: Pick<ClientEnvironment, "ASSAY_TASK" | "ASSAY_BEARER" | "ASSAY_EXTENSIONS" | "ASSAY_VERSION">;
  /** the ids contained in them */
  readonly told?: readonly string[];
}

/** An agent on its own port, running while a client uses it. */
export interface OpenStage {
  readonly url: string;
  readonly agent: AgentOffer;
  readonly arranged: Arranged;
  /** the requests of the client so far, in the order in which they completed */
  readonly exchanges: readonly Exchange[];
  readonly strays: readonly StrayBytes[];
  readonly notifications: readonly SentNotification[];
  /** how often a client rejected the agent's certificate */
  readonly distrusted: () => number;
  readonly read: Awaited<ReturnType<typeof createRequestReader>>;
  close(): Promise<void>;
}

/** The path of every situation's agent below its address. */
export const agentPath = "agent";

/** Skills are slow only for human viewers, so shorten their delays. */
const timeScale = 0.1;

export async function openStage(
  { agent, others, arrange, untrusted, twoAddresses, rootPath, faults }: Stage,
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
    root: rootPath ?? agentPath,
    // A fault may answer instead of the agent, so calls with faults are recorded where the faults are.
    ...(!faults && { recorder: new ServedRecorder(recording, (stray) => strays.push(stray)) }),
  });
  second?.leadTo(bed.port);
  const front = untrusted && (await openUntrustedFront(bed.port));
  const faulty = faults && (await openFaulty(bed.url, faults, recording));
  const close = async (): Promise<void> => {
    await front?.close();
    await faulty?.close();
    await second?.close();
    // Connections that the client left open are cut and recorded as such.
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
      url: front?.url ?? faulty?.url ?? (rootPath === undefined ? bed.url : `${bed.url}/${agentPath}`),
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

/** Opens a port with faults in front of the agent, loaded only for the few situations that need it. */
async function openFaulty(behind: string, faults: readonly string[], recording: Recording) {
  const { Faults, openFaultFront } = await import("@assay/proxy");
  return openFaultFront({
    behind,
    host: "127.0.0.1",
    port: 0,
    faults: new Faults(faults),
    issueId: () => recording.issueId(),
    onExchange: (exchange) => recording.finish(exchange),
  });
}

/** A 0.1 card does not name its version, so it would be read as 0.2. */
const spokenAs = ({ dialect }: SpokenInterface, offer: AgentOffer): AgentOffer =>
  dialect === "0.1" ? { ...offer, interfaces: offer.interfaces.map((on) => ({ ...on, dialect })) } : offer;

interface StageOptions {
  /** the version of Assay */
  readonly version: string;
  readonly recording?: Recording;
  readonly onExchange?: (exchange: Exchange) => void;
}
