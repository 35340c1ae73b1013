import { UsageError } from "@assay/protocol/assay-error";
import { Faults, openProxy } from "@assay/proxy";
import { secretsInAddress } from "@assay/wire";
import { ApiError } from "../../server/api-error.ts";
import type { AgentWay } from "../talk/agent-way.ts";
import { Watch } from "./watch.ts";

/**
 * Starts a proxy for an agent on a free local port. Assay uses the login only to read the card; clients send their own.
 */
export async function watchAgent(
  id: string,
  way: AgentWay,
  version: string,
  faults: readonly string[] = [],
): Promise<Watch> {
  const injected = faultsOf(faults);
  const { url, headers, secrets, connection } = way;
  const watch = new Watch();
  const startedAt = new Date().toISOString();
  const proxy = await openProxy({
    url: url.href,
    host: "127.0.0.1",
    port: 0,
    run: id,
    version,
    connection,
    headers,
    ...(injected && { faults: injected }),
    secrets: [...secrets, ...secretsInAddress(url.href)],
    record: (event) => watch.record(event),
    begun: (begun) => watch.begun(begun),
    show: (sight) => watch.show(sight),
  }).catch((error: Error) => {
    throw new ApiError(409, `Cannot start the proxy: ${error.message}`);
  });
  const document = { id, kind: "proxy", url: proxy.url, agent: url.href, startedAt } as const;
  return watch.opened({ ...document, ...(injected && { faults }) }, () => proxy.close());
}

function faultsOf(texts: readonly string[]): Faults | undefined {
  try {
    return texts.length ? new Faults(texts) : undefined;
  } catch (error) {
    if (error instanceof UsageError) throw new ApiError(400, error.message, error.hint);
    throw error;
  }
}
