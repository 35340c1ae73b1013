import { artifact, intercept, status } from "@assay/agents/making";
import { A2AError, type JsonObject, type StreamResponse } from "@assay/protocol";
import { doing } from "../../stages/agents.ts";
import { until } from "../../stages/until.ts";
import { agent, answering, completing, endless, partful, word } from "../agents.ts";
import { helpOf } from "../commands.ts";
import type { Probe } from "../lab.ts";
import { errorIn, idsIn, jsonLines, namesState, objectIn, oneDocument, textIn } from "../reading.ts";

/** OUT_001 */
const namesTask: Probe = async (lab) => {
  const scene = await lab.scene(agent(completing));
  const { id, contextId } = await scene.task();
  const busy = await lab.scene(agent(endless));
  const working = await busy.task(true);
  const cases = [
    { run: await scene.run(lab.send("go")), state: "COMPLETED", ids: [] },
    { run: await scene.run(["task", "get", id]), state: "COMPLETED", ids: [id, contextId!] },
    { run: await scene.run(["task", "get", id, "--output", "json"]), state: "COMPLETED", ids: [id, contextId!] },
    { run: await busy.run(["task", "cancel", working.id]), state: "CANCELED", ids: [working.id, working.contextId!] },
  ];
  for (const { run, state, ids } of cases)
    lab.expect(
      ids.every((each) => run.output.includes(each)) && namesState(run.output, state),
      "task, context and state on stdout",
      lab.describe(run),
      "Print the task id, the context id and the state on stdout.",
      run.command,
    );
  const streamed = await scene.run(lab.send("go", "--stream"));
  const json = await scene.run([...lab.send("go", "--output", "json", "--verbose")]);
  await scene.close();
  lab.expect(
    oneDocument(json.output) !== undefined,
    "nothing but JSON on stdout with --output json, even with --verbose",
    lab.describe(json),
    "Write diagnostics to stderr.",
    json.command,
  );
  // SEND_003 judges a tool that does not stream.
  const [stream] = streamed.calls("SendStreamingMessage");
  const ids = stream && idsIn(stream);
  if (!ids) return;
  const end = streamed.output.slice(streamed.output.toUpperCase().lastIndexOf("WORKING") + 1);
  lab.expect(
    end.includes(ids.taskId) && end.includes(ids.contextId) && namesState(end, "COMPLETED"),
    "task, context and state with the last event of --stream",
    lab.describe(streamed),
    "Print the task id, the context id and the state again at the end of the stream.",
    streamed.command,
  );
};

/** OUT_002 */
const oneObject: Probe = async (lab) => {
  const scene = await lab.scene(agent(completing));
  const run = await scene.run(lab.send("go", "--output", "json"));
  const task = objectIn(oneDocument(run.output), "task");
  lab.expect(
    textIn(objectIn(task, "status"), "state") === "TASK_STATE_COMPLETED",
    'one object {"task": …} in its final state',
    lab.describe(run),
    "Print SendMessageResponse with the final task, as one JSON object.",
    run.command,
  );
  const talker = await lab.scene(agent(answering));
  const message = await talker.run(lab.send("hello", "--output", "json"));
  lab.expect(
    objectIn(oneDocument(message.output), "message") !== undefined,
    'one object {"message": …}',
    lab.describe(message),
    "Print SendMessageResponse with the message.",
    message.command,
  );
  const tempted = await scene.run(lab.send("go", "--output", "json"), { env: { A2ACLI_STREAM: "true" } });
  lab.expect(
    oneDocument(tempted.output) !== undefined,
    "one object, whatever the environment says",
    lab.describe(tempted),
    "Ignore A2ACLI_STREAM: only the flag --stream switches to JSON Lines.",
    tempted.command,
  );
};

/** An agent whose stream continues only after the first line was seen, or after a long time. */
const gated = () => {
  const gate = new AbortController();
  const state = { isFlushed: false };
  const skill = doing(async function* (turn) {
    yield status("working");
    state.isFlushed = await until(gate.signal, 50_000, turn);
    yield artifact("word", word, { last: true });
    yield status("completed");
  });
  return { skill, state, open: () => gate.abort() };
};

/** Ends a stream with an error after its first event. */
const failing = intercept(["SendStreamingMessage"], async ({ proceed }) => {
  const { events } = await proceed();
  return {
    events: (async function* (): AsyncGenerator<StreamResponse> {
      for await (const event of events!) {
        yield event;
        // The event must be sent before the connection closes.
        await new Promise((resolve) => setTimeout(resolve, 20));
        throw new A2AError("UnsupportedOperation", "The stream ends here.");
      }
    })(),
  };
});

/** OUT_003 */
const writesLines: Probe = async (lab) => {
  const { skill, state, open } = gated();
  const scene = await lab.scene(agent(skill));
  const run = await scene.run(lab.send("go", "--stream", "--output", "json"), {
    onOutput: (text) => {
      if (text.includes("{")) open();
    },
  });
  const lines = jsonLines(run.output);
  const isEvent = (line: JsonObject): boolean =>
    ["task", "message", "statusUpdate", "artifactUpdate"].some((name) => name in line);
  lab.expect(
    run.exit === 0 && lines !== undefined && lines.every(isEvent),
    "one StreamResponse per line",
    lines ? lab.describe(run) : "lines that are not JSON objects",
    "Print each event as a JSON object on one line.",
    run.command,
  );
  const last = lines?.at(-1);
  const end = objectIn(last, "statusUpdate") ?? objectIn(last, "task");
  lab.expect(
    textIn(objectIn(end, "status"), "state") === "TASK_STATE_COMPLETED" && textIn(end, "contextId") !== "",
    "the final state with its ids on the last line",
    last ? JSON.stringify(last).slice(0, 160) : "no line",
    "Print the terminal event last.",
    run.command,
  );
  lab.expect(
    state.isFlushed,
    "each line as soon as its event arrives",
    "no output before the stream ended",
    "Flush stdout after each line.",
    run.command,
  );
  const broken = await lab.scene(agent(completing, { layers: { operations: failing } }));
  const failed = await broken.run(lab.send("go", "--stream", "--output", "json"));
  lab.expect(
    failed.exit !== 0 && textIn(errorIn(failed), "code") !== "",
    "an error object on the last line when the stream ends with an error",
    lab.describe(failed),
    'Print {"error": …} on its own line.',
    failed.command,
  );
};

/** OUT_005 */
const writesText: Probe = async (lab) => {
  const scene = await lab.scene(agent(partful));
  const [first, second] = [await scene.run(lab.send("go")), await scene.run(lab.send("go"))];
  const odd = oddLine(first.output);
  lab.expect(
    first.exit === 0 && odd === undefined,
    "one Label: value per line, and blocks closed by a blank line",
    odd === undefined ? lab.describe(first) : `the line "${odd.slice(0, 80)}"`,
    "Write each field as Label: value, and multi-line content below its own Label: line.",
    first.command,
  );
  lab.expect(
    !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(first.output),
    "no terminal control sequences",
    "stdout has some",
    "Write plain text.",
    first.command,
  );
  lab.expect(
    labelsOf(first.output).join() === labelsOf(second.output).join(),
    "the same labels in two runs",
    `${labelsOf(first.output).join(", ")} and ${labelsOf(second.output).join(", ")}`,
    "Keep the labels.",
    second.command,
  );
  if ((await helpOf(lab, "chat")) === undefined) return;
  const chat = await scene.run(["chat"], { input: "" });
  lab.expect(
    chat.ended === "exit",
    "an end of chat without a terminal",
    lab.describe(chat),
    "Never wait for input without a terminal.",
    chat.command,
  );
};

const field = /^\s*[^\s:][^:]*:(\s.*)?$/;

/** Returns the first line that is neither a field nor inside a block, or the label of a block without its blank line. */
function oddLine(text: string): string | undefined {
  let block: string | undefined;
  for (const line of text.replace(/\n$/, "").split("\n")) {
    if (line.trim() === "") block = undefined;
    else if (block === undefined && !field.test(line)) return line;
    else if (block === undefined && /:\s*$/.test(line)) block = line;
  }
  return block;
}

function labelsOf(text: string): readonly string[] {
  let isBlock = false;
  return text.split("\n").flatMap((line) => {
    if (line.trim() === "") isBlock = false;
    else if (!isBlock && field.test(line)) {
      isBlock = /:\s*$/.test(line);
      return [line.slice(0, line.indexOf(":")).trim()];
    }
    return [];
  });
}

/** OUT_006 */
const printsIds: Probe = async (lab) => {
  const scene = await lab.scene(agent(endless));
  const run = await scene.run(lab.send("go", "--async", "--output", "json"));
  // OUT_002 judges the form of the document.
  const document = oneDocument(run.output);
  const task = objectIn(document, "task") ?? document;
  lab.expect(
    textIn(task, "id") !== "" && textIn(task, "contextId") !== "",
    "a result with the id of the task and of its context",
    lab.describe(run),
    "Print SendMessageResponse with the task at once.",
    run.command,
  );
};

/** OUT_007 */
const debugs: Probe = async (lab) => {
  const scene = await lab.scene(agent(completing));
  const run = await scene.run(lab.send("a message to look for", "--debug"));
  lab.expect(
    run.exit === 0 && run.errors.includes("a message to look for") && /"?parts"?/.test(run.errors),
    "the request as sent on stderr",
    lab.describe(run),
    "With --debug, write the raw requests and responses to stderr.",
    run.command,
  );
};

export const outputProbes = {
  A2ACLI_OUT_001: namesTask,
  A2ACLI_OUT_002: oneObject,
  A2ACLI_OUT_003: writesLines,
  A2ACLI_OUT_005: writesText,
  A2ACLI_OUT_006: printsIds,
  A2ACLI_OUT_007: debugs,
};
