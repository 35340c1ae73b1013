import { isLoopback, testbedHeader } from "@assay/protocol";
import type { Exchange } from "@assay/wire";
import { headerOf } from "../../answers/reading.ts";

/**
 * Returns true if Assay's own test bed on this machine served the card. Only a response header counts, and only over a
 * loopback connection, because Assay tests it at full depth, with harmful input and many requests at a time.
 */
export function isTestbed({ exchange }: { readonly exchange: Exchange }): boolean {
  const { transport, remote } = exchange;
  if (transport.proxy !== undefined || remote === undefined || !isLoopback(remote.address)) return false;
  return headerOf(exchange, testbedHeader) !== undefined;
}
