import { agent, answering, asking, completing, endless, partful, word } from "../agents.ts";
import type { Probe } from "../lab.ts";
import { messageOf, namesState, partsOf, sends, textIn } from "../reading.ts";

/** SEND_001 */
const sendsMessages: Probe = async (lab) => {
  const scene = await lab.scene(agent(answering));
  const withFlag = await scene.run(["send", "--text", "What is the word?"]);
  const isPositional = withFlag.exit !== 0;
  // The contract shows the text as an argument in an example, so both count here. SEND_006 requires the flag.
  const run = isPositional ? await scene.run(["send", "What is the word?"]) : withFlag;
  await scene.close();
  const arrived = run.calls(...sends).map((call) => textIn(partsOf(call)[0], "text"));
  const hasArrived = lab.expect(
    arrived.length === 1 && arrived[0] === "What is the word?",
    "one SendMessage with the text",
    arrived.length ? `${arrived.length} messages: ${arrived.join(", ")}` : lab.describe(withFlag),
    "Send the text to the agent of --agent-card.",
    withFlag.command,
  );
  if (hasArrived && isPositional) lab.learned.positional = true;
  lab.succeeds(run, "send ends", "Exit with 0 after a response of the agent.");
  lab.expect(
    run.output.includes(word),
    "the text of the response on stdout",
    lab.describe(run),
    "Print the text of the response.",
    run.command,
  );
};

/** SEND_002 */
const waits: Probe = async (lab) => {
  const scene = await lab.scene(agent(completing));
  const blocking = await scene.run(lab.send("go"));
  lab.expect(
    blocking.exit === 0 && blocking.output.includes(word) && namesState(blocking.output, "COMPLETED"),
    "the completed task without further flags",
    lab.describe(blocking),
    "Wait until the task ends or is interrupted.",
    blocking.command,
  );
  const busy = await lab.scene(agent(endless));
  const immediate = await busy.run(lab.send("go", "--async"));
  lab.expect(
    immediate.exit === 0,
    "an end at once with --async while the task works",
    lab.describe(immediate),
    "With --async, print the ids and exit.",
    immediate.command,
  );
};

/** SEND_003 */
const streams: Probe = async (lab) => {
  const scene = await lab.scene(agent(completing));
  const run = await scene.run(lab.send("go", "--stream"));
  await scene.close();
  lab.expect(
    run.exit === 0 && run.calls("SendStreamingMessage").length > 0 && run.output.includes(word),
    "SendStreamingMessage, and the artifact in the output",
    run.calls("SendStreamingMessage").length ? lab.describe(run) : `no such call, ${lab.describe(run)}`,
    "With --stream, follow the event stream and print its events.",
    run.command,
  );
  const talker = await lab.scene(agent(answering));
  const message = await talker.run(lab.send("hello", "--stream"));
  lab.expect(
    message.exit === 0 && message.output.includes(word),
    "a direct message in the stream, and exit code 0",
    lab.describe(message),
    "Accept a stream that has only a message.",
    message.command,
  );
  const mute = await lab.scene(agent(completing, { streaming: false }));
  const fallback = await mute.run(lab.send("go", "--stream"));
  const isClear =
    fallback.ended === "exit" && (fallback.exit === 0 ? fallback.output.includes(word) : fallback.errors !== "");
  lab.expect(
    isClear,
    "a fallback or a clear error if the agent does not stream",
    lab.describe(fallback),
    "Without the streaming capability, poll instead or report an error.",
    fallback.command,
  );
};

/** SEND_004 */
const renders: Probe = async (lab) => {
  const scene = await lab.scene(agent(partful));
  const { output, command } = await scene.run(lab.send("go"));
  const parts = {
    "the text part as readable text": output.includes(word),
    "the data part as JSON": /"answer"\s*:\s*"forty-two"/.test(output) && /11/.test(output),
    "the name of the file part": output.includes("boats.csv"),
    "the media type of the file part": output.includes("text/csv"),
    "the size of the file part": /\b18\b/.test(output),
  };
  for (const [part, isThere] of Object.entries(parts))
    lab.expect(isThere, part, "it is missing on stdout", `Render ${part}.`, command);
};

/** SEND_005 */
const setsMediaTypes: Probe = async (lab) => {
  const report = await lab.file("report.bin", "%PDF-1.7");
  const scene = await lab.scene(agent(answering));
  const file = await scene.run(["send", "--file", report, "--media-type", "application/pdf"]);
  const both = await scene.run([
    ...["send", "--text", "# Title", "--media-type", "text/markdown"],
    ...["--file", report, "--media-type", "application/pdf"],
  ]);
  const unbound = await scene.run(["send", "--media-type", "text/plain", "--text", "hello"]);
  await scene.close();
  const typesOf = (run: typeof file): string =>
    partsOf(run.calls(...sends)[0])
      .map((part) => textIn(part, "mediaType") || "none")
      .join(", ") || lab.describe(run);
  lab.expect(
    typesOf(file) === "application/pdf",
    "a part with the media type application/pdf",
    typesOf(file),
    "Write the type of --media-type into the part flag before it.",
    file.command,
  );
  lab.expect(
    typesOf(both) === "text/markdown, application/pdf",
    "each type on the part before it",
    typesOf(both),
    "Bind --media-type to the part flag immediately before it.",
    both.command,
  );
  lab.expect(
    unbound.exit === 2,
    "exit code 2 for --media-type before any part",
    lab.describe(unbound),
    "Report a usage error.",
    unbound.command,
  );
};

/** SEND_006 */
const keepsOrder: Probe = async (lab) => {
  const data = await lab.file("data.json", '{"count": 3}');
  const file = await lab.file("notes.txt", "some notes");
  const scene = await lab.scene(agent(answering));
  const run = await scene.run(["send", "--text", "one", "--data", data, "--text", "two", "--file", file]);
  const piped = await scene.run(["send", "--data", "-"], { input: '{"from": "stdin"}' });
  await scene.close();
  const kinds = partsOf(run.calls(...sends)[0]).map((part) =>
    "text" in part ? textIn(part, "text") : "data" in part ? "data" : "raw" in part ? "raw" : "other",
  );
  lab.expect(
    kinds.join(" ") === "one data two raw",
    "four parts in the order of the flags: text, data, text, file",
    kinds.join(" ") || lab.describe(run),
    "Make one part of each flag, in their order.",
    run.command,
  );
  const [sent] = partsOf(piped.calls(...sends)[0]);
  lab.expect(
    JSON.stringify(sent?.["data"]) === '{"from":"stdin"}',
    "the JSON of stdin as a data part",
    sent ? JSON.stringify(sent) : lab.describe(piped),
    "Read --data - from stdin.",
    piped.command,
  );
};

/** INTERACT_001 */
const continuesContexts: Probe = async (lab) => {
  const scene = await lab.scene(agent(completing));
  const { contextId } = await scene.task();
  const run = await scene.run(lab.send("go on", "--context-id", contextId!));
  await scene.close();
  const [call] = run.calls(...sends);
  const message = call && messageOf(call);
  lab.expect(
    textIn(message, "contextId") === contextId && textIn(message, "taskId") === "",
    "a message that names the context and no task",
    message ? `contextId ${textIn(message, "contextId") || "missing"}` : lab.describe(run),
    "Write --context-id into message.contextId.",
    run.command,
  );
};

/** INTERACT_002 */
const continuesTasks: Probe = async (lab) => {
  const runs = [];
  for (const isWithContext of [false, true]) {
    const scene = await lab.scene(agent(asking));
    const { id, contextId } = await scene.task();
    const more = isWithContext ? ["--context-id", contextId!] : [];
    const run = await scene.run(lab.send("four", "--task-id", id, ...more));
    await scene.close();
    runs.push({ run, id, contextId: isWithContext ? contextId! : "" });
  }
  for (const { run, id, contextId } of runs) {
    const [call] = run.calls(...sends);
    const message = call && messageOf(call);
    lab.expect(
      run.exit === 0 && textIn(message, "taskId") === id && (!contextId || textIn(message, "contextId") === contextId),
      `a message to the task${contextId ? " and its context" : ""}`,
      message ? `taskId ${textIn(message, "taskId") || "missing"}, ${lab.describe(run)}` : lab.describe(run),
      "Write --task-id into message.taskId, and --context-id into message.contextId.",
      run.command,
    );
  }
  const scene = await lab.scene(agent(asking));
  const unknown = await scene.run(lab.send("four", "--task-id", "no-such-task"));
  await scene.close();
  const strays = unknown.calls(...sends).filter((call) => textIn(messageOf(call), "taskId") === "");
  lab.expect(
    unknown.exit !== 0 && unknown.ended === "exit" && !strays.length,
    "a failure for an unknown task, and no new task",
    strays.length ? "a message without the task id" : lab.describe(unknown),
    "Report the error of the agent and exit with 1. Never start a new task instead.",
    unknown.command,
  );
  const paired = await lab.scene(agent(asking));
  const [one, two] = [await paired.task(), await paired.task()];
  const mixed = await paired.run(lab.send("four", "--task-id", one.id, "--context-id", two.contextId!));
  await paired.close();
  const isAsGiven = mixed
    .calls(...sends)
    .map((call) => messageOf(call))
    .every((each) => textIn(each, "taskId") === one.id && textIn(each, "contextId") === two.contextId);
  lab.expect(
    isAsGiven && mixed.exit !== 0 && mixed.ended === "exit",
    "a failure for a task and a context that do not correspond, both sent as given",
    isAsGiven ? lab.describe(mixed) : "a message with another task or context",
    "Send both ids unchanged, and report the error of the agent.",
    mixed.command,
  );
  const told = `${unknown.output}${unknown.errors}`;
  lab.expect(
    /not.?found/i.test(told),
    "the error of the agent: the task is not found",
    lab.describe(unknown),
    "Print the error of the agent.",
    unknown.command,
  );
  lab.expect(
    told.includes("--debug"),
    "a pointer to --debug",
    "none in the output",
    "Name --debug in the hint of the error.",
    unknown.command,
  );
};

/** INTERACT_003 */
const inventsNothing: Probe = async (lab) => {
  const scene = await lab.scene(agent(completing));
  const run = await scene.run(lab.send("go"));
  await scene.close();
  const [call] = run.calls(...sends);
  if (!call) lab.notMeasured("no message arrived");
  const message = messageOf(call!);
  lab.expect(
    textIn(message, "taskId") === "" && textIn(message, "contextId") === "",
    "a first message without taskId and contextId",
    `taskId "${textIn(message, "taskId")}", contextId "${textIn(message, "contextId")}"`,
    "Omit both: the agent assigns them.",
    run.command,
  );
};

export const sendProbes = {
  A2ACLI_SEND_001: sendsMessages,
  A2ACLI_SEND_002: waits,
  A2ACLI_SEND_003: streams,
  A2ACLI_SEND_004: renders,
  A2ACLI_SEND_005: setsMediaTypes,
  A2ACLI_SEND_006: keepsOrder,
  A2ACLI_INTERACT_001: continuesContexts,
  A2ACLI_INTERACT_002: continuesTasks,
  A2ACLI_INTERACT_003: inventsNothing,
};
