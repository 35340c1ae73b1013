// Shared by the programs around SDK clients: reads the environment of `assay client`, calls the SDK for each action, and sets the
// exit code. It adds nothing that the SDK would have to do.
import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";

/** The exit code for a situation that the client does not support. */
const declined = 75;

const hasEnded = ({ state }) => ["completed", "failed", "canceled", "rejected"].includes(state);

/** The actions. `client` wraps the SDK. Each action returns the text and state to print. */
const acts = {
  send: async ({ client, message }) => ended(client, await client.send(message())),
  stream: ({ client, message }) => followed(client, client.stream(message())),
  get: ({ client, task }) => client.get(task),
  cancel: ({ client, task }) => client.cancel(task),
  subscribe: ({ client, task }) => followed(client, client.subscribe(task)),
  async list({ client }) {
    const ids = [];
    for (let token = "", page; token !== undefined; token = page.next || undefined) {
      page = await client.list(token);
      ids.push(...page.ids);
    }
    return { text: ids.join("\n") };
  },
  async repeat({ client, message }) {
    await client.send(message());
    return client.send(message());
  },
  follow: async ({ client, message }) => ended(client, await client.send(message(), { wait: false })),
  async converse({ client, message, reply }) {
    const { taskId, contextId } = await client.send(message());
    return client.send({ ...message({ taskId, contextId }), parts: [{ text: reply }] });
  },
  async refine({ client, message, reply }) {
    const { taskId, contextId, pieces } = await client.send(message());
    const meant = { metadata: { taskId, artifactId: pieces[0].id } };
    return client.send({ ...message({ contextId, referenceTaskIds: [taskId] }), parts: [{ text: reply, ...meant }] });
  },
  "extended-card": ({ client }) => client.extendedCard(),
};

/** Polls a task until it ends or needs input. */
async function ended(client, answer) {
  let now = answer;
  while (now.taskId && now.state && !hasEnded(now) && now.state !== "input-required") {
    await pause(300);
    now = await client.get(now.taskId);
  }
  return now;
}

/**
 * Reads a stream to its end, and subscribes again if it breaks. Events that the SDK lost stay lost. If nothing more
 * comes, throws the first error, as its caller would see it.
 */
async function followed(client, events, tries = 3) {
  const [seen, pieces] = [{}, new Map()];
  let broke;
  for (let stream = events; ; stream = client.subscribe(seen.taskId)) {
    let isTold = false;
    try {
      for await (const { pieces: told = [], ...event } of stream) {
        isTold = true;
        Object.assign(seen, event);
        for (const { id, text, append } of told) pieces.set(id, (append ? (pieces.get(id) ?? "") : "") + text);
      }
    } catch (error) {
      broke ??= error;
      // A syntax error means unreadable data, not a lost connection.
      const isUnreadable = error instanceof SyntaxError || error.cause instanceof SyntaxError;
      if (!seen.taskId || isUnreadable || --tries === 0) throw broke;
      continue;
    }
    if (broke && !isTold) throw broke;
    return { ...seen, pieces: [...pieces].map(([id, text]) => ({ id, text })) };
  }
}

/** Performs ASSAY_ACTION with the client that `connect` creates, and ends the process. With --stdin, performs the action of each line. */
export async function perform(connect) {
  if (!process.argv.includes("--stdin")) {
    const { exit, output, errors } = await performOnce(connect, process.env);
    process.stdout.write(output);
    process.stderr.write(errors);
    process.exit(exit);
  }
  for await (const line of createInterface(process.stdin)) {
    const { id, environment } = JSON.parse(line);
    process.stdout.write(`${JSON.stringify({ id, ...(await performOnce(connect, environment)) })}\n`);
  }
}

async function performOnce(
  connect,
  { ASSAY_AGENT_URL: url, ASSAY_ACTION: action = "send", ASSAY_MESSAGE: text = "hello", ...env },
) {
  const act = acts[action];
  if (!act) return { exit: declined, output: "", errors: "" };
  const message = (more = {}) => ({ messageId: randomUUID(), parts: [{ text }], ...more });
  try {
    const client = await connect({ url, bearer: env.ASSAY_BEARER, extensions: env.ASSAY_EXTENSIONS });
    if (!client) return { exit: declined, output: "", errors: "" };
    const {
      state,
      pieces = [],
      text: said,
    } = await act({ client, message, task: env.ASSAY_TASK, reply: env.ASSAY_REPLY });
    const isBad = ["failed", "rejected", "canceled"].includes(state) && action !== "cancel";
    const output = [state, ...pieces.map((piece) => piece.text), said].filter(Boolean).join("\n");
    return { exit: isBad ? 1 : 0, output: `${output}\n`, errors: "" };
  } catch (error) {
    return { exit: 1, output: "", errors: `${error?.name}: ${error?.message}\n` };
  }
}
