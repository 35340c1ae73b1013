/**
 * The files of a driver to start from, by name. Its client speaks JSON-RPC of 1.0 with `fetch`, where a real driver
 * calls its SDK. They are text, so that the package and the single-file executable have them too.
 */
export const starterDriver = (name: string): Readonly<Record<string, string>> => ({
  "driver.yaml": `name: ${name}                        # the name of this folder
title: My SDK
language: JavaScript
package: my-sdk
version: 0.0.0                      # must be the version that client.mjs reports
model: "1.0"
client:
  command: ["{node}", client.mjs]
  speaks: { "1.0": [JSONRPC] }
`,
  "client.mjs": client,
});

const client = String.raw`// The client of a driver: one request per line on stdin, one answer per line on stdout (docs/drivers.md of Assay).
// Replace the bodies of cardOf, call and stream with calls of your SDK. Correct nothing that the SDK does wrong.
import { createInterface } from "node:readline";

// Read the version from the installed package of your SDK instead.
const sdk = { name: "my-sdk", version: "0.0.0" };

const methods = {
  extendedCard: "GetExtendedAgentCard",
  send: "SendMessage",
  get: "GetTask",
  list: "ListTasks",
  cancel: "CancelTask",
  "push.create": "CreateTaskPushNotificationConfig",
  "push.get": "GetTaskPushNotificationConfig",
  "push.list": "ListTaskPushNotificationConfigs",
  "push.delete": "DeleteTaskPushNotificationConfig",
};
const streams = { stream: "SendStreamingMessage", subscribe: "SubscribeToTask" };

/** An error as the agent returned it. */
class AgentError extends Error {
  constructor({ code, message }) {
    super(message);
    this.code = code;
  }
}

async function cardOf({ card, headers }) {
  const response = await fetch(card + "/.well-known/agent-card.json", { headers });
  if (!response.ok) throw new Error("The card was answered with HTTP " + response.status);
  return response.json();
}

async function request(target, method, params, signal) {
  const { supportedInterfaces } = await cardOf(target);
  const { url } = supportedInterfaces.find(({ protocolBinding }) => protocolBinding === "JSONRPC");
  return fetch(url, {
    method: "POST",
    headers: { ...target.headers, "Content-Type": "application/json", "A2A-Version": target.version },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    signal,
  });
}

function resultOf({ result, error }) {
  if (error) throw new AgentError(error);
  return result;
}

async function call(target, method, params) {
  return resultOf(await (await request(target, method, params)).json()) ?? {};
}

async function* stream(target, method, params, signal) {
  const response = await request(target, method, params, signal);
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
    yield resultOf(await response.json());
    return;
  }
  let text = "";
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const events = (text + chunk).split(/\r?\n\r?\n/);
    text = events.pop();
    for (const event of events) {
      const data = event.split(/\r?\n/).filter((line) => line.startsWith("data:")).map((line) => line.slice(5));
      if (data.length > 0) yield resultOf(JSON.parse(data.join("\n")));
    }
  }
}

const open = new Map();
const write = (answer) => process.stdout.write(JSON.stringify(answer) + "\n");

async function answer({ id, op, target, params }) {
  if (op === "close") {
    open.get(params.id)?.abort();
    return write({ id, result: {} });
  }
  const ending = new AbortController();
  try {
    if (op === "card") write({ id, result: await cardOf(target) });
    else if (op in methods) write({ id, result: await call(target, methods[op], params) });
    else if (op in streams) {
      open.set(id, ending);
      for await (const event of stream(target, streams[op], params, ending.signal)) write({ id, event });
      write({ id, done: true });
    } else write({ id, error: { kind: "unsupported", type: "Unsupported", message: "There is no operation " + op } });
  } catch (error) {
    if (ending.signal.aborted) write({ id, done: true });
    else if (error instanceof AgentError)
      write({ id, error: { kind: "protocol", type: "AgentError", code: error.code, message: error.message } });
    else write({ id, error: { kind: "transport", type: error.name, message: error.message } });
  } finally {
    open.delete(id);
  }
}

write({ ready: true, sdk, model: "1.0" });
for await (const line of createInterface({ input: process.stdin })) {
  try {
    void answer(JSON.parse(line));
  } catch (error) {
    write({ id: "", error: { kind: "driver", type: error.name, message: error.message } });
  }
}
`;
