import { bindCredentials, createEgressGuard, type Exchange } from "@assay/wire";
import { openPassing } from "../passing/open.ts";
import type { Faults } from "./faults.ts";

export interface FaultFrontOptions {
  /** the server behind it */
  readonly behind: string;
  readonly host: string;
  /** 0: any free port */
  readonly port: number;
  /** further host names that clients may use */
  readonly allowHosts?: readonly string[];
  readonly faults: Faults;
  /** issues the ids of calls (default: x1, x2, …) */
  issueId?(): string;
  /** called with every call, as the server behind it saw it */
  onExchange(exchange: Exchange): void;
}

export interface FaultFront {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Opens a port in front of a server of our own, which injects faults and judges nothing. */
export async function openFaultFront({ behind, ...options }: FaultFrontOptions): Promise<FaultFront> {
  const agent = new URL(behind);
  const { url, close } = await openPassing({
    ...options,
    agent,
    guard: createEgressGuard({ trustedHosts: [agent.hostname] }),
    credentials: bindCredentials({ named: [agent], fields: [] }),
    // The server writes its cards for the host that clients ask for.
    keepHost: true,
    keepCard: true,
    onCard() {},
    onNotice() {},
  });
  return { url, port: Number(new URL(url).port), close };
}
