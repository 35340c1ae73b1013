import type { EgressGuard, HeaderPairs, PeerClients } from "@assay/wire";
import type { CallKind, Post } from "../definition/layers.ts";
import type { Relay } from "../definition/skill.ts";
import { relayedBytes } from "./relay-budget.ts";

/** The outgoing calls of the test bed: webhooks and other agents, both behind the egress guard. */
export interface Outbound {
  /** `headers` are added to every request */
  readonly relay: (...given: [...Parameters<Relay>, headers?: HeaderPairs]) => ReturnType<Relay>;
  readonly post: Post;
  /** the reason why a webhook will not be called, as far as its URL shows it */
  readonly webhookRefusal: (url: string) => string | undefined;
  close(): Promise<void>;
}

/** Timeouts of calls, including connecting; the second is for a mutant that waits without end. */
const timeoutMs: Readonly<Record<CallKind, number>> = { webhook: 15_000, "webhook for ever": 300_000, agent: 60_000 };

/** Limits of response sizes: a webhook has only its status to report. */
const answerBytes = { webhook: 64 * 1024, "webhook for ever": 64 * 1024, agent: relayedBytes };

/** Minimum timeout, because scaled time does not make the network faster. */
const leastTimeoutMs = 2_000;

export function createOutbound(guard: EgressGuard, version: string, timeScale = 1): Outbound {
  let isClosed = false;
  const clients = new Map<CallKind, Promise<PeerClients>>();
  // The clients are loaded with the first call, so that a test bed without calls starts sooner.
  const clientsFor = (kind: CallKind): Promise<PeerClients> => {
    if (isClosed) return Promise.reject(new Error("The test bed is shutting down."));
    const known = clients.get(kind);
    if (known) return known;
    const scale = kind === "webhook" ? timeScale : 1;
    const total = Math.max(timeoutMs[kind] * scale, leastTimeoutMs);
    const limits = { wireBytes: answerBytes[kind], bodyBytes: answerBytes[kind] };
    const made = import("@assay/wire").then(({ createPeerClients, userAgent }) =>
      createPeerClients({ guard, userAgent: userAgent(version), limits, timeouts: { idle: total, total } }),
    );
    clients.set(kind, made);
    return made;
  };
  return {
    async post(url, headers, body, signal, kind = "webhook") {
      const webhooks = await clientsFor(kind);
      const { http, failure } = await webhooks.http.request(
        { method: "POST", url, headers, body: Buffer.from(body) },
        signal,
      );
      if (http.response) {
        const { status, headers: answered } = http.response;
        return { status, retryAfter: answered.find(([name]) => name.toLowerCase() === "retry-after")?.[1] };
      }
      return { failure: failure?.code ?? "unknown", final: failure?.code === "refused-by-guard" };
    },
    webhookRefusal(url) {
      if (!URL.canParse(url)) return "is not a URL";
      const decision = guard.checkHost(new URL(url).hostname);
      return decision.allowed ? undefined : `is refused: ${decision.reason}`;
    },
    async relay(cardUrl, text, signal, headers) {
      if (!URL.canParse(cardUrl)) throw new Error(`"${cardUrl}" is not a URL.`);
      const { askAgent } = await import("./ask-agent.ts");
      return askAgent(unredirected(await clientsFor("agent")), cardUrl, text, signal, headers);
    },
    async close() {
      isClosed = true;
      for (const made of clients.values()) await (await made).close();
    },
  };
}

/** Disables redirects: a client may name an address, but a response may not. */
function unredirected(clients: PeerClients): PeerClients {
  const { request, stream, close } = clients.http;
  const http: PeerClients["http"] = {
    request: (spec, signal) => request({ ...spec, followRedirects: 0 }, signal),
    stream: (spec, signal) => stream({ ...spec, followRedirects: 0 }, signal),
    close,
  };
  return { ...clients, http };
}
