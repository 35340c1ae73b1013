import { type Exhibit, exhibit, type Serve } from "./exhibit.ts";
import { calledIn, endpoint, json, page, redirect, text } from "./serving.ts";

/** Exhibits with a good card whose address does not lead to the agent. */

const told = (says: string): Exhibit["says"] => ({ test: says, card: "No errors in this card", send: says });
const exit = (code: 1 | 2): Exhibit["exit"] => ({ test: code, card: 0, send: code });
const correctUrl = "Correct the url and the binding of the interface, or remove the interface from the card";

const unknownMethod: Serve = async (call) => {
  const { id, method } = await calledIn(call);
  const error = { code: -32601, message: `Method not found: ${method}` };
  return json({ jsonrpc: "2.0", id, error })(call);
};

export const endpointExhibits: readonly Exhibit[] = [
  exhibit("endpoint-404", "The interface URL on the card returns 404.", {
    says: told("{at}/rpc does not speak JSONRPC: it answered HTTP 404"),
    fix: correctUrl,
    exit: exit(1),
    serves: endpoint(text(404, "text/plain", "Not Found")),
  }),
  exhibit("endpoint-405", "The interface URL on the card accepts GET only.", {
    says: told("{at}/rpc does not speak JSONRPC: it answered HTTP 405"),
    fix: correctUrl,
    exit: exit(1),
    serves: endpoint(text(405, "text/plain", "Method Not Allowed", { Allow: "GET" })),
  }),
  exhibit("endpoint-html", "The interface URL on the card is a website.", {
    says: told("{at}/rpc does not speak JSONRPC: it answered with a web page"),
    fix: correctUrl,
    exit: exit(1),
    serves: endpoint(page("Welcome")),
  }),
  exhibit("endpoint-redirects", "The card says http, and that address redirects to https.", {
    says: told("{at}/rpc does not speak JSONRPC: it redirects to https://{host}/gallery/endpoint-redirects/rpc"),
    fix: "Put the address that it redirects to on the card",
    exit: exit(1),
    serves: endpoint(redirect(308, ({ at }) => `${at.replace("http:", "https:")}/rpc`)),
  }),
  exhibit("endpoint-401", "The card is public and declares no login, but the agent requires one.", {
    says: told('This agent asks for a login: {at}/rpc answered HTTP 401 (Bearer realm="gallery")'),
    fix: "--bearer env:TOKEN, --api-key name=env:KEY or --basic user:env:PASSWORD",
    exit: exit(2),
    serves: endpoint(
      text(401, "application/json", '{"error":"unauthorized"}', { "WWW-Authenticate": 'Bearer realm="gallery"' }),
    ),
  }),
  exhibit("endpoint-403", "The agent rejects every call with 403 and does not say how to log in.", {
    says: told("This agent asks for a login: {at}/rpc answered HTTP 403"),
    fix: "--bearer env:TOKEN, --api-key name=env:KEY or --basic user:env:PASSWORD",
    exit: exit(2),
    serves: endpoint(text(403, "text/plain", "Forbidden")),
  }),
  exhibit("endpoint-402", "The agent requires payment for every call.", {
    says: told("This agent asks for payment: {at}/rpc answered HTTP 402"),
    fix: "If you have paid, pass your credentials: --bearer, --api-key or --header",
    exit: exit(2),
    serves: endpoint(json({ error: "Payment Required", accepts: [] }, 402)),
  }),
  exhibit("openai-endpoint", "The interface URL on the card is a model API, which returns JSON but not JSON-RPC.", {
    says: told("{at}/rpc does not speak JSONRPC: it answered with JSON that is not JSON-RPC"),
    fix: correctUrl,
    exit: exit(1),
    serves: endpoint(
      json({ error: { message: "you must provide a model parameter", type: "invalid_request_error" } }, 400),
    ),
  }),
  exhibit(
    "mcp-server",
    "The interface URL on the card is an MCP server, which speaks JSON-RPC but has no A2A methods.",
    {
      says: told("{at}/rpc does not speak A2A: GetTask, ListTasks and SendMessage are unknown there (-32601)"),
      fix: correctUrl,
      exit: exit(1),
      serves: endpoint(unknownMethod),
    },
  ),
  exhibit("json-instead-of-events", "The card declares streaming, but streaming calls return plain JSON.", {
    says: { test: "SendStreamingMessage opens no stream", card: "No errors in this card", send: "Echo: hello" },
    fix: "Respond to SendStreamingMessage with text/event-stream",
    exit: { test: 1, card: 0, send: 0 },
    serves: endpoint(
      async (call) => {
        const { method, id } = await calledIn(call);
        if (method !== "SendStreamingMessage") return call.agent("/echo");
        const message = { messageId: "m-1", role: "ROLE_AGENT", parts: [{ text: "Echo: hello" }] };
        return json({ jsonrpc: "2.0", id, result: { message } })(call);
      },
      { capabilities: { streaming: true, pushNotifications: false } },
    ),
  }),
  exhibit("plain-text-answers", "Every response has Content-Type text/plain.", {
    says: {
      test: 'a JSON-RPC response has the Content-Type "text/plain"',
      card: "No errors in this card",
      send: "Echo: hello",
    },
    fix: "Send Content-Type: application/json with every JSON-RPC response",
    exit: { test: 1, card: 0, send: 0 },
    serves: endpoint((call) => {
      const { reply } = call;
      return call.agent("/echo", {
        raw: reply.raw,
        send: (status, headers, body) => reply.send(status, { ...headers, "Content-Type": "text/plain" }, body),
        events: (headers) => reply.events(headers),
      });
    }),
  }),
];
