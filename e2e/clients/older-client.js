/**
 * A client of A2A 0.3 (JSON-RPC and HTTP+JSON), 0.2 and 0.1 on plain fetch: it does what ASSAY_ACTION asks for and prints the text of
 * the answer. With a misbehaviour it is the same client with one thing wrong, where `wrong(…)` is asked.
 */
import { randomUUID } from "node:crypto";

class CallError extends Error {}

const declined = 75;

const methods = {
  send: "message/send",
  stream: "message/stream",
  get: "tasks/get",
  card: "agent/getAuthenticatedExtendedCard",
};
/** By the version of the card. */
const methodsOf = {
  0.1: { send: "tasks/send", stream: "tasks/sendSubscribe", get: "tasks/get" },
  0.2: methods,
  0.3: methods,
};

const paths = {
  send: () => ["POST", "/v1/message:send"],
  stream: () => ["POST", "/v1/message:stream"],
  get: ({ id }) => ["GET", `/v1/tasks/${id}`],
  card: () => ["GET", "/v1/card"],
};

/** Does what the environment asks for and gives the exit code; `binding` is the one that it speaks. */
export async function runOlderClient({ env, misbehaviour = "", binding = "JSONRPC", print, complain, signal }) {
  const wrong = (name) => misbehaviour === name;

  async function fetchCard() {
    const names = wrong("V02-CARD-002.newer-name") ? ["agent-card.json"] : ["agent-card.json", "agent.json"];
    for (const name of names) {
      const response = await fetch(new URL(`/.well-known/${name}`, env.ASSAY_AGENT_URL), { signal });
      if (response.ok) return response.json();
    }
    throw new CallError("there is no card");
  }

  /** The version that a card is written in, and where the binding is to be had. */
  function choose({
    protocolVersion = "0.1",
    url,
    preferredTransport = "JSONRPC",
    additionalInterfaces = [],
    ...card
  }) {
    const version = protocolVersion.split(".").slice(0, 2).join(".");
    if (!methodsOf[version] || card.supportedInterfaces) throw new CallError("the agent is not of my time");
    const own = [{ transport: preferredTransport, url }, ...additionalInterfaces].find(
      (each) => each.transport === binding,
    );
    if (!own) throw new CallError(`the agent has no ${binding}`);
    return { version, url: own.url };
  }

  const headersFor = (type) => ({
    ...(type && { "Content-Type": type }),
    ...(env.ASSAY_BEARER && !wrong("V03-AUTH-001.no-login") && { Authorization: `Bearer ${env.ASSAY_BEARER}` }),
    ...(wrong("V03-VER-006.newer-version") && { "A2A-Version": "1.0" }),
    ...(env.ASSAY_EXTENSIONS && {
      [wrong("V03-EXT-002.newer-name") ? "A2A-Extensions" : "X-A2A-Extensions"]: env.ASSAY_EXTENSIONS,
    }),
  });

  async function request({ version, url }, operation, params) {
    if (binding === "JSONRPC") {
      const newer = wrong("V03-JSONRPC-001.newer-method")
        ? "SendMessage"
        : wrong("V01-JSONRPC-001.newer-method") && "message/send";
      const method = (operation === "send" && newer) || methodsOf[version][operation];
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
      return fetch(url, { method: "POST", headers: headersFor("application/json"), body, signal });
    }
    const [verb, path] = paths[operation](params);
    const address = `${url}${wrong("V03-REST-007.newer-path") ? path.replace("/v1", "") : path}`;
    if (verb === "GET") return fetch(address, { headers: headersFor(), signal });
    const headers = headersFor(wrong("V03-REST-006.newer-type") ? "application/a2a+json" : "application/json");
    return fetch(address, { method: verb, headers, body: JSON.stringify(params), signal });
  }

  async function call(on, operation, params) {
    const json = await (await request(on, operation, params)).json();
    if (json.error || json.code) throw new CallError(json.error?.message ?? json.message);
    return binding === "JSONRPC" ? json.result : (json.task ?? json.message ?? json);
  }

  function paramsFor({ version }) {
    const text = env.ASSAY_MESSAGE;
    const messageId = randomUUID();
    if (binding !== "JSONRPC") return { message: { messageId, role: "ROLE_USER", content: [{ text }] } };
    if (version === "0.1") return { id: randomUUID(), message: { role: "user", parts: [{ type: "text", text }] } };
    return { message: { kind: "message", messageId, role: "user", parts: [{ kind: "text", text }] } };
  }

  const show = ({ parts, content = parts, artifacts = [], status }) => {
    const told = content ?? artifacts.flatMap((artifact) => artifact.parts);
    for (const { text } of told.length ? told : (status?.message?.parts ?? [])) if (text) print(text);
    if (/fail|reject|required/i.test(status?.state ?? "")) throw new CallError(`the task is ${status.state}`);
  };

  const actions = {
    send: async (on) => show(await call(on, "send", paramsFor(on))),
    get: async (on) => show(await call(on, "get", { id: env.ASSAY_TASK })),
    "extended-card": async (on) => print((await call(on, "card", {})).name),
  };

  try {
    const card = await fetchCard();
    const act = actions[env.ASSAY_ACTION];
    const on = choose(card);
    // 0.2 has its extended card at an address, and 0.1 has none.
    if (!act || (env.ASSAY_ACTION === "extended-card" && on.version !== "0.3")) return declined;
    await act(on);
    return 0;
  } catch (error) {
    complain(error instanceof CallError ? error.message : String(error.stack));
    return 1;
  }
}
