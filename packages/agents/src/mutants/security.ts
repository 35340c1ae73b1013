import { A2AError } from "@assay/protocol";
import type { Handler } from "@assay/wire/server";
import { type Divergence, full, spec } from "../definition/divergence.ts";
import { artifact, status } from "../definition/skill.ts";
import { changeAnswers, changeEventData, changeRequests } from "../mutation/http.ts";
import { RecentMap } from "../mutation/recent.ts";

export const securityMutants: readonly Divergence[] = [
  spec("SEC-001.one-too-many", "A deeply nested request makes the agent drop connections.", () => {
    const missed = new RecentMap<number>();
    const http = (serve: Handler): Handler => {
      const careless = changeRequests((request) => ({
        async body() {
          const body = await request.body();
          if (body.includes('{"n":'.repeat(500))) missed.set(kindOf(request), 4);
          return body;
        },
      }))(serve);
      return (request, reply) => {
        const left = missed.get(kindOf(request)) ?? 0;
        if (left === 0) return careless(request, reply);
        missed.set(kindOf(request), left - 1);
        reply.raw.socket?.destroy();
      };
    };
    return { http };
  }),

  full("SEC-002.any-file", "The agent accepts files of every type.", {}, { habits: { anyMediaType: true } }),

  full("SEC-003.fetches", "The agent fetches every URL in a file part.", {
    async *events(events, { message, relay, signal }) {
      // Uses the egress guard that all calls of the test bed pass.
      for (const { url } of message.parts) if (url) await relay(url, "", signal).catch(() => {});
      yield* events;
    },
  }),

  full("SEC-003.other-spellings", "Blocks private addresses only in their usual spelling and fetches the others.", {
    async *events(events, { message, relay, signal }) {
      const urls = message.parts.flatMap(({ url }) => url ?? []);
      const usual = /^\w+:\/\/(localhost|127\.0|10\.|192\.168\.|169\.254\.|0\.0\.0\.0|\[)/;
      if (urls.some((url) => usual.test(url))) return yield status("rejected", "This address is not for you.");
      for (const url of urls) await relay(url, "", signal).catch(() => {});
      yield* events;
    },
  }),

  full("SEC-003.reads-files", "Opens local files that a message refers to.", {
    async *events(events, { message }) {
      // Invented content of such a file; the real one is never read.
      const opened = message.parts.some(({ url }) => url === "file:///etc/passwd");
      if (opened) yield artifact("file", "root:x:0:0:root:/root:/bin/sh");
      yield* events;
    },
  }),

  spec("SEC-004.raw-lines", "A line break in user text breaks the framing of the event stream.", {
    http: changeEventData((data) => (data.includes("\\ndata:") ? data.replaceAll("\\n", "\n") : data)),
  }),

  spec("SEC-005.drops", "The agent drops connections without a response under load.", () => {
    // Load means that most of the latest requests came over a new connection. Time does not count, because a busy
    // machine could spread the requests.
    const recent = new RecentMap<boolean[]>();
    const known = new WeakSet<object>();
    const dropping = new RecentMap<number>();
    const http =
      (serve: Handler): Handler =>
      (request, reply) => {
        const kind = kindOf(request);
        const { socket } = reply.raw;
        const left = dropping.get(kind) ?? 0;
        if (left > 0) {
          dropping.set(kind, left - 1);
          return void socket?.destroy();
        }
        const isNew = socket != null && !known.has(socket);
        if (socket) known.add(socket);
        const last = [...(recent.get(kind) ?? []), isNew].slice(-40);
        const isLoad = last.filter(Boolean).length > 30;
        recent.set(kind, isLoad ? [] : last);
        if (isLoad) dropping.set(kind, 10);
        return serve(request, reply);
      };
    return { http };
  }),

  spec("SEC-009.no-traces", "The agent rejects requests with a traceparent header.", {
    admission: (admission) => ({
      ...admission,
      authenticate(head, agent) {
        if (head.headers["traceparent"]) throw new A2AError("InvalidRequest", "Header not allowed: traceparent");
        return admission.authenticate(head, agent);
      },
    }),
  }),

  spec("SEC-010.breaks-down", "A member of the wrong type gets an internal error.", {
    http: changeAnswers((answer) =>
      /expected an (object|array)/.test(String(answer.body))
        ? {
            ...answer,
            status: answer.status === 200 ? 200 : 500,
            body: String(answer.body).replace(/-32602|\b400\b/, broke),
          }
        : answer,
    ),
  }),
];

const broke = (code: string): string => (code === "400" ? "500" : "-32603");

/**
 * Returns the part of the agent that a request concerns: its card, JSON-RPC, or HTTP+JSON. Each fails by
 * itself.
 */
const kindOf = ({ path }: { readonly path: string }): string =>
  path.includes("agent-card") ? "card" : /\/(tasks|message:|extendedAgentCard)/.test(path) ? "HTTP+JSON" : "JSONRPC";
