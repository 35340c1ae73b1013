// The client of an SDK behind its driver (docs/drivers.md), as a command for `assay client`: node driver.mjs <folder>
// <command>… --stdin. The driver gets no binding and no version, so that the SDK chooses by the card.
// --no-stream-end: the SDK does not report the end of every stream. Like its callers, the program then stops at the event
// after which the task rests.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { perform } from "./perform.mjs";

const stopsItself = process.argv.includes("--no-stream-end");
const [folder, ...command] = process.argv.slice(2).filter((word) => !["--stdin", "--no-stream-end"].includes(word));
const driver = spawn(command[0], command.slice(1), { cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
const waiting = new Map();
let asked = 0;
let model = "1.0";
const ready = new Promise((resolve) => {
  createInterface(driver.stdout).on("line", (line) => {
    const answer = JSON.parse(line);
    if (answer.ready) {
      model = answer.model;
      resolve();
    } else waiting.get(answer.id)?.(answer);
  });
});

/** Sends a request to the driver, and yields its answers until the last one. */
async function* ask(op, target, params) {
  await ready;
  const id = String(++asked);
  const answers = [];
  let wake = () => {};
  waiting.set(id, (answer) => {
    answers.push(answer);
    wake();
  });
  driver.stdin.write(`${JSON.stringify({ id, op, target, params })}\n`);
  try {
    while (true) {
      const answer = answers.shift();
      if (!answer) {
        await new Promise((resolve) => {
          wake = resolve;
        });
        continue;
      }
      if (answer.error) throw Object.assign(new Error(answer.error.message), { name: answer.error.type });
      if (answer.done) return;
      yield answer.result ?? answer.event;
      if (answer.result) return;
    }
  } finally {
    waiting.delete(id);
  }
}

async function once(op, target, params) {
  for await (const answer of ask(op, target, params)) return answer;
  throw new Error("the driver gave no answer");
}

/** TASK_STATE_INPUT_REQUIRED is "input-required" in the other programs. */
const wordOf = (state = "") => state.replace("TASK_STATE_", "").toLowerCase().replaceAll("_", "-");
const textOf = (parts = []) => parts.map(({ text }) => text ?? "").join("");

/** Reads results of both models. */
function shown(answer) {
  const {
    id,
    taskId = id,
    contextId,
    status,
    artifacts = [],
    artifact,
    append,
    parts,
  } = answer.task ?? answer.message ?? answer.statusUpdate ?? answer.artifactUpdate ?? answer;
  const pieceOf = (each) => ({ id: each.artifactId, text: textOf(each.parts), append });
  if (artifact) return { taskId, contextId, pieces: [pieceOf(artifact)] };
  if (status)
    return {
      taskId,
      contextId,
      state: wordOf(status.state),
      text: textOf(status.message?.parts),
      pieces: artifacts.map(pieceOf),
    };
  return { taskId, contextId, text: textOf(parts) };
}

/** A message is the last event of its stream, and so is a state in which the task waits for nothing but its caller. */
const isLast = ({ state, pieces }) =>
  state ? ["completed", "failed", "canceled", "rejected", "input-required"].includes(state) : !pieces;

await perform(async ({ url, bearer, extensions }) => {
  await ready;
  const isOlder = model === "0.3";
  const headers = {
    ...(bearer && { Authorization: `Bearer ${bearer}` }),
    ...(extensions && { [isOlder ? "X-A2A-Extensions" : "A2A-Extensions"]: extensions }),
  };
  const target = { card: url, binding: "", version: "", headers };
  const params = ({ parts, ...message }, { wait = true } = {}) => ({
    message: isOlder
      ? { ...message, kind: "message", role: "user", parts: parts.map((part) => ({ kind: "text", ...part })) }
      : { ...message, role: "ROLE_USER", parts },
    ...(!wait && { configuration: isOlder ? { blocking: false } : { returnImmediately: true } }),
  });
  async function* told(events) {
    for await (const event of events) {
      const now = shown(event);
      yield now;
      if (stopsItself && isLast(now)) return;
    }
  }
  return {
    send: async (message, how) => shown(await once("send", target, params(message, how))),
    stream: (message) => told(ask("stream", target, params(message))),
    subscribe: (id) => told(ask("subscribe", target, { id })),
    get: async (id) => shown(await once("get", target, { id })),
    cancel: async (id) => shown(await once("cancel", target, { id })),
    async list(pageToken) {
      const page = await once("list", target, { pageToken, pageSize: 2 });
      return { ids: page.tasks.map(({ id }) => id), next: page.nextPageToken };
    },
  };
});
