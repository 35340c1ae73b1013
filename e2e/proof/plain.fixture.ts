import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { testbedHeader } from "@assay/protocol";

/** How the tasks of an agent turn out that nobody prepared for us. */
export type Manner = "slow" | "short" | "asks back";

/** What an agent of the test bed is told in the place of the words that its client used. */
const spoken: Readonly<Record<Manner, string>> = {
  slow: "slow 50",
  short: "task-lifecycle hello",
  "asks back": "multi-turn hello",
};

const skills = [
  {
    id: "weather",
    name: "Weather",
    description: "Says how the weather will be.",
    tags: ["weather"],
    examples: ["How will the weather be in Oslo?"],
  },
];

export interface PlainAgent {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * An agent of the test bed as one that was written by others for a purpose of their own: its card lists no skill that we know, it answers to no
 * word of ours, and whatever it is asked, its tasks turn out in the same manner.
 */
export async function startPlain(behind: string, manner: Manner): Promise<PlainAgent> {
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => pass(behind, incoming, reworded(Buffer.concat(chunks), manner), response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${new URL(behind).pathname}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The first text of a message that begins a task; whatever else is wrong or right about the request stays. */
function reworded(body: Buffer, manner: Manner): Buffer {
  try {
    const json = JSON.parse(body.toString("utf8"));
    const message = (json.params ?? json)?.message;
    const part = message?.taskId === undefined && message?.parts?.find?.((each: { text?: unknown }) => each?.text);
    if (!part) return body;
    part.text = typeof part.text === "string" ? spoken[manner] : part.text;
    return Buffer.from(JSON.stringify(json));
  } catch {
    return body;
  }
}

/** The Host stays, so that the card behind names this address. */
function pass(behind: string, incoming: IncomingMessage, body: Buffer, response: ServerResponse): void {
  const { hostname, port } = new URL(behind);
  const { "content-length": _, ...headers } = incoming.headers;
  const onward = request(
    {
      hostname,
      port,
      method: incoming.method,
      path: incoming.url,
      headers: { ...headers, ...(body.length && { "content-length": body.length }) },
    },
    (answer) => {
      const { [testbedHeader.toLowerCase()]: __, ...shown } = answer.headers;
      if (!incoming.url?.endsWith("card.json") || answer.statusCode !== 200) {
        response.writeHead(answer.statusCode ?? 502, shown);
        answer.pipe(response);
        return;
      }
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () => {
        const { signatures: ___, ...card } = JSON.parse(Buffer.concat(chunks).toString("utf8"));
        const { "content-length": ____, ...rest } = shown;
        response.writeHead(200, rest);
        response.end(JSON.stringify({ ...card, skills, ...withoutGrpc(card) }));
      });
    },
  );
  onward.on("error", () => response.destroy());
  response.on("close", () => onward.destroy());
  onward.end(body);
}

/** gRPC does not come through here. */
const withoutGrpc = ({ supportedInterfaces }: { supportedInterfaces?: { protocolBinding?: string }[] }) =>
  supportedInterfaces && {
    supportedInterfaces: supportedInterfaces.filter(({ protocolBinding }) => protocolBinding !== "GRPC"),
  };
