import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Markup and scripts, in every form that a page could fall for. */
const markup =
  "<img src=x onerror=\"document.title='taken'\"><script>document.title='taken'</script><svg onload=\"document.title='taken'\">\u202e";

/** An agent whose card and answers are full of markup. It has one interface, and answers whatever it is asked. */
export async function startHostileAgent(): Promise<{ readonly url: string; close(): void }> {
  const server: Server = createServer((request, response) => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    response.setHeader("Content-Type", "application/json");
    if (request.method === "GET") return void response.end(JSON.stringify(cardAt(url)));
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      const { id } = JSON.parse(body) as { id: unknown };
      response.end(JSON.stringify({ jsonrpc: "2.0", id, result: { message: answer } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

const cardAt = (url: string) => ({
  name: markup,
  description: markup,
  version: markup,
  provider: { organization: markup, url: "javascript:document.title='taken'" },
  documentationUrl: "javascript:document.title='taken'",
  capabilities: { streaming: true },
  supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  securitySchemes: { [markup]: { httpAuthSecurityScheme: { scheme: markup } } },
  defaultInputModes: [markup],
  defaultOutputModes: ["text/plain"],
  skills: [{ id: markup, name: markup, description: markup, tags: [markup], examples: [markup] }],
});

const answer = {
  messageId: markup,
  role: "ROLE_AGENT",
  contextId: markup,
  parts: [
    { text: `${markup}\u202Ereversed` },
    { data: { [markup]: markup } },
    { raw: Buffer.from(`<html>${markup}</html>`).toString("base64"), filename: "../page.html", mediaType: "text/html" },
    { url: "javascript:document.title='taken'", filename: markup },
  ],
  metadata: { [markup]: markup },
};
