import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import type { AgentClass, ReasonCode } from "@assay/fleet";

/** What the gallery of the test bed is for a fleet. An agent that is odd but legal works; a login or a price is no fault. */
export const galleryClasses: Readonly<Record<string, readonly [AgentClass, ReasonCode]>> = {
  "card-404": ["endpoint-missing", "card-missing"],
  "card-405": ["endpoint-missing", "card-missing"],
  "card-500": ["something-else", "card-error"],
  website: ["something-else", "card-page"],
  "html-labelled-json": ["something-else", "card-page"],
  "login-page": ["login-required", "card-login"],
  "card-401": ["login-required", "card-login"],
  "card-403": ["login-required", "card-login"],
  "card-402": ["payment-required", "card-payment"],
  "stalled-card": ["timed-out", "card-timeout"],
  "endless-card": ["card-invalid", "card-too-large"],
  "cut-card": ["card-invalid", "card-not-json"],
  "empty-card": ["card-invalid", "card-no-card"],
  "list-of-cards": ["card-invalid", "card-no-card"],
  "moved-card": ["working", "unasked"],
  "no-interfaces": ["no-usable-interface", "no-interface"],
  "custom-bindings": ["no-usable-interface", "interface-unknown"],
  "future-version": ["no-usable-interface", "interface-unknown"],
  "relative-url": ["no-usable-interface", "interface-address"],
  "private-host": ["refused-by-guard", "guard-interface"],
  "endpoint-404": ["endpoint-missing", "endpoint-404"],
  "endpoint-405": ["endpoint-missing", "endpoint-405"],
  "endpoint-html": ["something-else", "endpoint-page"],
  "endpoint-redirects": ["something-else", "endpoint-redirects"],
  "endpoint-401": ["login-required", "endpoint-login"],
  "endpoint-403": ["login-required", "endpoint-login"],
  "endpoint-402": ["payment-required", "endpoint-payment"],
  "openai-endpoint": ["something-else", "endpoint-no-a2a"],
  "mcp-server": ["something-else", "endpoint-other-protocol"],
  "plain-text-answers": ["rules-broken", "rules-broken"],
  "older-methods": ["something-else", "endpoint-other-version"],
  "newer-methods": ["something-else", "endpoint-other-version"],
  "older-card-at-new-path": ["working", "unasked"],
  "lost-url": ["no-usable-interface", "no-interface"],
  "silent-card": ["working", "unasked"],
  "older-login": ["login-required", "endpoint-login"],
  "another-card": ["endpoint-missing", "card-of-another"],
  "to-https": ["unreachable", "tls"],
};

const cardFor = (url: string, more: object = {}): string =>
  JSON.stringify({
    name: "Tiny",
    description: "A tiny server.",
    version: "1",
    supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
    capabilities: {},
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [{ id: "a", name: "A", description: "Does a.", tags: ["a"] }],
    ...more,
  });

interface TinyAgent {
  readonly named: string;
  readonly is: readonly [AgentClass, ReasonCode];
  /** what answers at the address that the card gives */
  readonly endpoint: RequestListener;
  readonly card?: object;
  readonly robots?: string;
  /** tried by `npm test`, too */
  readonly quick?: true;
}

const notFound: RequestListener = (request, response) => {
  request.resume().on("end", () => {
    response.setHeader("Content-Type", "application/json");
    const error = {
      code: -32001,
      message: "Task not found",
      data: [
        { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "TASK_NOT_FOUND", domain: "a2a-protocol.org" },
      ],
    };
    response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, error }));
  });
};

/** Servers that misbehave in ways that the test bed does not. */
export const tinyAgents: readonly TinyAgent[] = [
  { named: "hangs", is: ["timed-out", "endpoint-timeout"], endpoint: () => {}, quick: true },
  {
    named: "answers for ever",
    is: ["something-else", "endpoint-too-large"],
    endpoint(_request, response) {
      response.writeHead(200, { "Content-Type": "application/json" });
      const more = (): void => {
        if (!response.destroyed) response.write(" ".repeat(1 << 18), () => setImmediate(more));
      };
      more();
    },
  },
  {
    named: "sends a bomb",
    is: ["something-else", "endpoint-too-large"],
    endpoint(_request, response) {
      response.writeHead(200, { "Content-Type": "application/json", "Content-Encoding": "gzip" });
      response.end(bomb);
    },
  },
  {
    named: "is behind a gateway that finds nothing",
    is: ["unreachable", "gateway"],
    endpoint(_request, response) {
      response.writeHead(503).end("upstream connect error");
    },
  },
  {
    named: "drops connections",
    is: ["unreachable", "connection-dropped"],
    endpoint: (request) => request.socket.destroy(),
  },
  {
    named: "asks to be left alone",
    quick: true,
    is: ["opted-out", "opt-out-robots"],
    endpoint: notFound,
    robots: "User-agent: assay\nDisallow: /\n",
  },
];

const bomb = gzipSync(Buffer.alloc(16 * 1024 * 1024));

export async function startTiny({ endpoint, card, robots }: TinyAgent): Promise<{ url: string; server: Server }> {
  const server = createServer((request, response) => {
    if (request.url === "/rpc") return endpoint(request, response);
    if (request.url === "/robots.txt" && robots !== undefined) return response.end(robots);
    if (!request.url?.endsWith("/agent-card.json")) return response.writeHead(404).end();
    response.setHeader("Content-Type", "application/json");
    response.end(cardFor(`${url}/rpc`, card));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, server };
}
