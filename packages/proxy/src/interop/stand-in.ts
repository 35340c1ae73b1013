import type { NormalisedCard } from "@assay/protocol";
import { AssayError } from "@assay/protocol/assay-error";
import type { HeaderPairs } from "@assay/wire";
import type { InteropOptions } from "./interop.ts";
import { meet, peerOf } from "./met-agent.ts";
import type { AgentCaller } from "./say.ts";

/** A client that takes the place of an agent that cannot be made to call another. */
export interface StandIn {
  /** for people, as in "A2A Go SDK 2.4.0" */
  readonly title: string;
  /** Prepares calls to an agent through the proxy in front of it; rejects if this client cannot call it. */
  connect(agent: StandInTarget): Promise<AgentCaller>;
  close(): Promise<void>;
}

/** The agent that a stand-in calls. */
export interface StandInTarget {
  /** the address of the proxy, where the client finds the card */
  readonly url: string;
  readonly interfaces: NormalisedCard["interfaces"];
  /** credentials for the agent */
  readonly headers: HeaderPairs;
}

/** Lets Assay's own client stand in. */
export function ownClient(options: Pick<InteropOptions, "connection" | "signal" | "version">): StandIn {
  const opened: { close(): Promise<void> }[] = [];
  return {
    title: `Assay ${options.version}`,
    async connect({ url, headers }) {
      const met = await meet({ url, headers }, options);
      opened.push(met.clients);
      const peer = peerOf(met);
      if (peer) return peer;
      throw new AssayError({ code: "agent-not-found", message: "Assay supports none of the interfaces on its card" });
    },
    close: async () => void (await Promise.all(opened.map((clients) => clients.close()))),
  };
}
