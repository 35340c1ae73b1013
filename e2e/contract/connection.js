/** How the tool of the contract's proof reads cards and calls agents, over JSON-RPC, HTTP+JSON and gRPC. */
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { cardKeeper } from "../clients/trust.js";

/** A failure in the form of the contract: a code, a message and a hint. */
export class ToolError extends Error {
  constructor(code, message, hint = "Run the command again with --debug to see the exchange.") {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

const names = {
  [-32001]: "TaskNotFoundError",
  [-32002]: "TaskNotCancelableError",
  [-32004]: "UnsupportedOperationError",
  [-32008]: "ExtensionSupportRequiredError",
  [-32009]: "VersionNotSupportedError",
};

/** The verb and the path of each operation over HTTP+JSON. */
const routes = {
  SendMessage: () => ["POST", "/message:send"],
  SendStreamingMessage: () => ["POST", "/message:stream"],
  GetTask: ({ id }) => ["GET", `/tasks/${id}`],
  ListTasks: () => ["GET", "/tasks"],
  CancelTask: ({ id }) => ["POST", `/tasks/${id}:cancel`],
  SubscribeToTask: ({ id }) => ["POST", `/tasks/${id}:subscribe`],
  GetExtendedAgentCard: () => ["GET", "/extendedAgentCard"],
};

const wellKnown = "/.well-known/agent-card.json";

/** Adds the scheme to a bare host. An unusual tool takes it for HTTPS, as the contract names none. */
export const withScheme = (reference, isOdd) =>
  /^[\w.-]+:\d+$/.test(reference) ? `${isOdd ? "https" : "http"}://${reference}` : reference;

export async function readCard(reference, { broken, debug, headers }) {
  if (reference === undefined) throw new ToolError("A2ACLI_ERR_USAGE", "--agent-card is missing");
  const text = /^https?:/.test(reference)
    ? await fetchCard(reference, { debug, headers })
    : readFile(reference, broken);
  try {
    const card = JSON.parse(text);
    if (!Array.isArray(card.supportedInterfaces)) throw new Error("no interfaces");
    return card;
  } catch {
    throw new ToolError(broken("OUT_004") ? "A2ACLI_ERR_BAD_CARD" : "A2ACLI_ERR_CARD_INVALID", "The card is invalid");
  }
}

function readFile(reference, broken) {
  const path = reference.startsWith("file:") ? fileURLToPath(reference) : reference;
  if (!existsSync(path) || broken("CARD_GET_001")) throw new ToolError("A2ACLI_ERR_CARD_NOT_FOUND", "No card there");
  return readFileSync(path, "utf8");
}

/** Returns the URL of a card: an origin gets the well-known path. */
export const cardUrlOf = (reference) =>
  new URL(reference).pathname === "/" ? `${new URL(reference).origin}${wellKnown}` : reference;

async function fetchCard(reference, { debug, headers }) {
  const url = cardUrlOf(reference);
  const response = await reach(url, { headers });
  debug(`GET ${url}: ${response.status}`);
  if (!response.ok) throw new ToolError("A2ACLI_ERR_CARD_NOT_FOUND", `The card URL returned ${response.status}`);
  return response.text();
}

async function reach(url, init) {
  try {
    return await fetch(url, init);
  } catch (error) {
    throw new ToolError("A2ACLI_ERR_UNREACHABLE", `Cannot reach the agent: ${error.cause?.code ?? error.message}`);
  }
}

/** Chooses an interface of the card, by the preference of the caller or by the order of the card. */
export function chooseInterface(card, { preferred, broken, version = "1.0" }) {
  const spoken = broken("TX_004") ? ["JSONRPC"] : ["JSONRPC", "HTTP+JSON", ...(broken("TX_005") ? [] : ["GRPC"])];
  const known = card.supportedInterfaces.filter(
    (each) => spoken.includes(each.protocolBinding) && (each.protocolVersion === version || broken("VER_001")),
  );
  const wanted = preferred.flatMap((name) => known.find((each) => each.protocolBinding === name) ?? []);
  const order = broken("TX_001") ? known.toReversed() : known;
  const found = wanted[0] ?? order[0];
  if (!found || (broken("TX_002") && card.supportedInterfaces[0] !== found))
    throw new ToolError("A2ACLI_ERR_CARD_INVALID", "The card has no interface that this tool supports");
  return found;
}

/** Calls an operation and returns its result. */
export async function call(on, operation, params, context) {
  if (on.protocolBinding === "GRPC") return callGrpc(on, operation, params);
  const response = await request(on, operation, params, context);
  const body = JSON.parse((await response.text()) || "{}");
  context.debug(`response ${JSON.stringify(body)}`);
  return resultIn(body, on, response);
}

async function callGrpc(on, operation, params) {
  const { createEgressGuard, createPeerClients, openLine } = await import("@assay/wire");
  const { normaliseCard } = await import("@assay/protocol");
  const clients = createPeerClients({ guard: createEgressGuard({ allowLoopback: true }), userAgent: "tool" });
  const { interfaces } = normaliseCard({ supportedInterfaces: [on] });
  const answer = await (await openLine(clients, interfaces[0], {})).call(operation, params);
  await clients.close();
  return answer.json;
}

function resultIn(body, on, { ok, status }) {
  const error = on.protocolBinding === "JSONRPC" ? body.error : ok ? undefined : (body.error ?? body);
  if (!error && ok) return on.protocolBinding === "JSONRPC" ? body.result : body;
  if (status === 401) throw new ToolError("A2ACLI_ERR_AUTH_FAILED", "The agent rejects the credentials");
  const reason = error?.details?.find?.(({ reason: each }) => each)?.reason;
  const byReason =
    reason && `${reason.toLowerCase().replaceAll(/(^|_)([a-z])/g, (_, __, letter) => letter.toUpperCase())}Error`;
  throw new ToolError(names[error?.code] ?? byReason ?? "A2ACLI_ERR_INTERNAL", error?.message ?? `HTTP ${status}`);
}

function request(on, operation, given, { headers, query = {}, debug, accept = "application/json", broken }) {
  const tenant = on.tenant !== undefined && !broken("TX_003") ? { tenant: on.tenant } : {};
  const params = { ...given, ...tenant };
  const common = { ...headers, "Content-Type": "application/json", Accept: accept };
  if (on.protocolBinding === "JSONRPC") {
    const body = JSON.stringify({ jsonrpc: "2.0", id: randomUUID(), method: operation, params });
    debug(`request ${body}`);
    return reach(withQuery(on.url, query), { method: "POST", headers: common, body });
  }
  const { tenant: at, ...rest } = params;
  const [method, path] = routes[operation](rest);
  const base = `${on.url}${at === undefined ? "" : `/${at}`}${path}`;
  const { id: _inPath, ...others } = rest;
  if (method === "GET") return reach(withQuery(base, { ...others, ...query }), { headers: common });
  return reach(withQuery(base, query), { method, headers: common, body: JSON.stringify(others) });
}

const withQuery = (url, query) => (Object.keys(query).length ? `${url}?${new URLSearchParams(query)}` : url);

/** Calls a streaming operation and yields its events. */
export async function* follow(on, operation, params, context) {
  const response = await request(on, operation, params, { ...context, accept: "text/event-stream" });
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
    yield resultIn(JSON.parse(await response.text()), on, response);
    return;
  }
  let rest = "";
  for await (const bytes of response.body.pipeThrough(new TextDecoderStream())) {
    rest += bytes;
    const events = rest.split(/\r?\n\r?\n/);
    rest = events.pop();
    for (const event of events) {
      const data = event.split(/\r?\n/).flatMap((line) => (line.startsWith("data:") ? line.slice(5).trim() : []));
      if (data.length) yield resultIn(JSON.parse(data.join("\n")), on, { ok: true, status: 200 });
    }
  }
}

/** Verifies the signature of a card, and says how that went. */
export async function signatureOf(card, url, broken) {
  if (!card.signatures?.length) return "absent";
  if (broken("CARD_GET_004")) return "verified";
  const isValid = await cardKeeper({ wrong: () => false })(new URL(url)).then(
    () => true,
    () => false,
  );
  return isValid ? "verified" : "unverifiable";
}
