import { isLoopback, testbedHeader } from "@assay/protocol";
import type { Exchange } from "@assay/wire";
import { headerOf } from "../../answers/reading.ts";

/**
 * Whether a card was served by our own test bed on this machine: by a header of the answer, which counts only when the
 * connection itself went to loopback. Nothing else counts, because the test bed is not spared: it gets full depth, input
 * that could hurt, and many requests at a time. Other servers have the same skills.
 */
export function isTestbed({ exchange }: { readonly exchange: Exchange }): boolean {
  const { transport, remote } = exchange;
  if (transport.proxy !== undefined || remote === undefined || !isLoopback(remote.address)) return false;
  return headerOf(exchange, testbedHeader) !== undefined;
}
