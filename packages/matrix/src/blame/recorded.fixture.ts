import { startTestbed, type Testbed } from "@assay/agents";
import { openProxy } from "@assay/proxy";
import type { ExchangeRecorded } from "@assay/suite/report";
import { createEgressGuard } from "@assay/wire";
import { afterAll, beforeAll } from "vitest";
import type { ExchangeBreach, MatrixExchange } from "../document/evidence.ts";

/** Runs real agents behind the recording proxy, for tests about recorded exchanges. */
export function useRecorder(): {
  /** Records the exchanges while `talk` calls the agent at a path of the test bed, or at another address. */
  record(agent: string, talk: (url: string) => Promise<unknown>): Promise<MatrixExchange[]>;
} {
  let bed: Testbed | undefined;
  beforeAll(async () => {
    bed = await startTestbed({ host: "127.0.0.1", port: 0, version: "0.0.0-test", timeScale: 0.05 });
  });
  afterAll(() => bed?.close(200));
  return {
    async record(agent, talk) {
      const exchanges: ExchangeRecorded[] = [];
      const breaches = new Map<string, readonly ExchangeBreach[]>();
      const proxy = await openProxy({
        url: agent.startsWith("http") ? agent : `${bed!.url}${agent}`,
        host: "127.0.0.1",
        port: 0,
        run: "test",
        version: "test",
        connection: { guard: createEgressGuard({ trustedHosts: ["127.0.0.1"] }) },
        record: (event) => {
          if (event.event === "exchange") exchanges.push(event);
        },
        show: (sight) => {
          if (sight.is === "call")
            breaches.set(
              sight.id,
              sight.breaches.map(({ party, ...each }) => ({ ...each, party: party === "agent" ? "server" : "client" })),
            );
        },
      });
      await talk(proxy.url);
      await proxy.close();
      return exchanges.map(({ id, operation, interface: on, entry }) => ({
        id,
        ...(operation !== undefined && { operation }),
        ...(on && { interface: on }),
        entry,
        breaches: breaches.get(id) ?? [],
      }));
    },
  };
}

export const fetchCard = (url: string): Promise<Response> => fetch(`${url}/.well-known/agent-card.json`);

/** Makes a JSON-RPC call like a good client. */
export const call = (url: string, method: string, params: unknown, signal?: AbortSignal): Promise<string> =>
  fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", "A2A-Version": "1.0" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    ...(signal && { signal }),
  }).then((answer) => answer.text());

export const said = (text: string): { message: { messageId: string; role: string; parts: { text: string }[] } } => ({
  message: { messageId: "m-1", role: "ROLE_USER", parts: [{ text }] },
});
