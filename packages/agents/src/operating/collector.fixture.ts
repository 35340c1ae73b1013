import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A span received by OTLP in JSON. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly traceState?: string;
  readonly name: string;
  /** 1 internal, 2 server, 3 client */
  readonly kind: number;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
  readonly status: { readonly code?: number };
  /** service.name of the sender */
  readonly service: string;
}

interface Traces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: ReceivedSpan["attributes"] };
    readonly scopeSpans: readonly { readonly spans: readonly Omit<ReceivedSpan, "service">[] }[];
  }[];
}

/** A collector that receives traces by OTLP over HTTP as JSON, and keeps them. */
export async function startCollector(): Promise<{ url: string; spans: ReceivedSpan[]; close(): void }> {
  const spans: ReceivedSpan[] = [];
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const isTraces = request.url === "/v1/traces" && request.headers["content-type"] === "application/json";
    if (isTraces) {
      const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString()) as Traces;
      for (const { resource, scopeSpans } of resourceSpans) {
        const service = String(resource.attributes.find(({ key }) => key === "service.name")?.value["stringValue"]);
        spans.push(...scopeSpans.flatMap((scope) => scope.spans.map((span) => ({ ...span, service }))));
      }
    }
    response.writeHead(isTraces ? 200 : 415, { "Content-Type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, spans, close: () => void server.close().closeAllConnections() };
}
