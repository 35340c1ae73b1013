// What the programs around the clients of SDKs share: the environment of `assay client`, what its situations ask for in terms
// of an SDK's own calls, and the exit code. It adds nothing that the SDK would have to do.
import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";

/** The exit code by which a command says that a situation asks for what it does not do. */
const declined = 75;

const hasEnded = ({ state }) => ["completed", "failed", "canceled", "rejected"].includes(state);

/** The acts, by name. `client` is what a program made of its SDK; each gives back what is to be shown. */
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

/** A task that is at work, or waits for what happens elsewhere, is asked for now and then. */
async function ended(client, answer) {
  let now = answer;
  while (now.taskId && now.state && !hasEnded(now) && now.state !== "input-required") {
    await pause(300);
    now = await client.get(now.taskId);
  }
  return now;
}

/** A stream to its end; where it breaks off, it is taken up again. What the SDK lost on the way stays lost. */
async function followed(client, events, tries = 3) {
  const [seen, pieces] = [{}, new Map()];
  for (let stream = events; ; stream = client.subscribe(seen.taskId)) {
    try {
      for await (const { pieces: told = [], ...event } of stream) {
        Object.assign(seen, event);
        for (const { id, text, append } of told) pieces.set(id, (append ? (pieces.get(id) ?? "") : "") + text);
      }
      return { ...seen, pieces: [...pieces].map(([id, text]) => ({ id, text })) };
    } catch (error) {
      // What cannot be read is no connection that was cut off.
      const isUnreadable = error instanceof SyntaxError || error.cause instanceof SyntaxError;
      if (!seen.taskId || isUnreadable || --tries === 0) throw error;
    }
  }
}

/** Does what ASSAY_ACTION asks for with the client that `connect` makes, and ends the process; with --stdin, what each line asks for. */
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
