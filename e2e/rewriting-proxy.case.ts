import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface RewritingProxy {
  readonly url: string;
  close(): void;
}

/** A server in front of another one that changes its answers; the addresses in them are those of the proxy. */
export async function startRewritingProxy(
  target: string,
  rewrite: (answer: { readonly status: number; readonly text: string }) => { status: number; text: string },
): Promise<RewritingProxy> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { host: _, connection: __, "content-length": ___, ...headers } = request.headers;
    const answer = await fetch(`${target}${request.url}`, {
      method: request.method ?? "GET",
      headers: headers as Record<string, string>,
      ...(chunks.length && { body: Buffer.concat(chunks) }),
    });
    const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { status, text } = rewrite({
      status: answer.status,
      text: (await answer.text()).replaceAll(target, own),
    });
    response.writeHead(status, { "content-type": answer.headers.get("content-type") ?? "application/json" });
    response.end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
    },
  };
}
