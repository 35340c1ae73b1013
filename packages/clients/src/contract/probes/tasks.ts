import { artifact, intercept, status } from "@assay/agents/making";
import type { Operation } from "@assay/protocol";
import { doing } from "../../stages/agents.ts";
import { until } from "../../stages/until.ts";
import { agent, asking, breaking, completing, endless, partful, word } from "../agents.ts";
import { needCommand } from "../commands.ts";
import type { ContractLab, Probe } from "../lab.ts";
import { namesState, oneDocument, optionIn, textIn } from "../reading.ts";
import type { Scene, ToolRun } from "../scene.ts";

/** TASK_GET_001 */
const gets: Probe = async (lab) => {
  const scene = await lab.scene(agent(partful));
  const { id, contextId, artifacts } = await scene.task();
  const text = await scene.run(["task", "get", id]);
  lab.expect(
    text.exit === 0 && text.output.includes(id) && namesState(text.output, "COMPLETED"),
    "the task with its id and state",
    lab.describe(text),
    "Print id, context and state of the task.",
    text.command,
  );
  for (const [what, value] of [
    ["the context id", contextId!],
    ["the text part of the artifact", word],
    ["the name of the file part", "boats.csv"],
  ] as const)
    lab.expect(text.output.includes(value), what, "it is missing on stdout", `Print ${what}.`, text.command);
  const json = await scene.run(["task", "get", id, "--output", "json"]);
  const task = oneDocument(json.output);
  lab.expect(
    textIn(task, "id") === id && JSON.stringify(task?.["artifacts"]) === JSON.stringify(artifacts),
    "the Task of the protocol, with its artifacts unchanged",
    lab.describe(json),
    "Print the bare Task with --output json.",
    json.command,
  );
  const short = await scene.run(["task", "get", id, "--history", "1"]);
  await scene.close();
  const [call] = short.calls("GetTask");
  lab.expect(
    call?.params?.["historyLength"] === 1,
    "GetTask with historyLength 1",
    call ? JSON.stringify(call.params) : lab.describe(short),
    "Send --history as historyLength.",
    short.command,
  );
};

/** TASK_CANCEL_001 */
const cancels: Probe = async (lab) => {
  const scene = await lab.scene(agent(endless));
  const { id } = await scene.task(true);
  const first = await scene.run(["task", "cancel", id]);
  const second = await scene.run(["task", "cancel", id, "--output", "json"]);
  await scene.close();
  lab.expect(
    first.exit === 0 && first.calls("CancelTask").length > 0 && namesState(first.output, "CANCELED"),
    "CancelTask, and the state CANCELED in the output",
    lab.describe(first),
    "Cancel the task and print its state.",
    first.command,
  );
  const isTold = second.exit !== 0 && `${second.output}${second.errors}`.trim() !== "";
  lab.expect(
    second.ended === "exit" && (namesState(second.output, "CANCELED") || isTold),
    "the state, or the error of the agent, for a task that is already canceled",
    lab.describe(second),
    "Report the state, or the error of the agent.",
    second.command,
  );
};

/** TASK_LIST_001 */
const lists: Probe = async (lab) => {
  const help = await needCommand(lab, "task", "list");
  const paged = intercept(["ListTasks"], ({ request, proceed }) => proceed({ ...request, pageSize: 1 }));
  const scene = await lab.scene(agent(completing, { layers: { operations: paged } }));
  const [one, two] = [await scene.task(), await scene.task()];
  const all = await scene.run(["task", "list", "--output", "json"]);
  const inContext = await scene.run(["task", "list", "--context-id", one.contextId!]);
  const statusFlag = optionIn(help, /status|state/);
  const done = statusFlag === undefined ? undefined : await scene.run(["task", "list", statusFlag, "completed"]);
  const exact =
    done?.exit === 0 ? done : statusFlag && (await scene.run(["task", "list", statusFlag, "TASK_STATE_COMPLETED"]));
  await scene.close();
  const page = oneDocument(all.output);
  lab.expect(
    all.exit === 0 && Array.isArray(page?.["tasks"]),
    "ListTasksResponse as one JSON object",
    lab.describe(all),
    "Print the response of ListTasks.",
    all.command,
  );
  const hasAll = [one.id, two.id].every((id) => all.output.includes(id));
  const canGoOn = textIn(page, "nextPageToken") !== "" && optionIn(help, /token|cursor/) !== undefined;
  lab.expect(
    hasAll || canGoOn,
    "all pages, or the token of the next page and an option for it",
    "only the first page",
    "Follow nextPageToken, or add an option for the page token.",
    all.command,
  );
  const asked = (run: typeof all | "" | undefined, name: string): unknown =>
    run ? run.calls("ListTasks")[0]?.params?.[name] : undefined;
  lab.expect(
    asked(inContext, "contextId") === one.contextId,
    "ListTasks with the context",
    lab.describe(inContext),
    "Send --context-id as contextId.",
    inContext.command,
  );
  lab.expect(
    asked(exact, "status") === "TASK_STATE_COMPLETED",
    "ListTasks with the status",
    exact ? lab.describe(exact) : "the help has no option for a status",
    "Add an option that sends the status.",
    exact ? exact.command : lab.commandLine("task", "list", "--help"),
  );
};

/** A task that continues after this many subscriptions. */
const subscribable = (needed: number) => {
  let count = 0;
  const subscribed = new AbortController();
  const skill = doing(async function* (turn) {
    yield status("working");
    await until(subscribed.signal, 600_000, turn);
    await turn.clock.sleep(2_000, turn.signal);
    yield artifact("word", word, { last: true });
    yield status("completed");
  });
  const operations = intercept(["SubscribeToTask"], ({ proceed }) => {
    count += 1;
    if (count === needed) subscribed.abort();
    return proceed();
  });
  return { skill, operations };
};

/** TASK_SUBSCRIBE_001 */
const subscribes: Probe = async (lab) => {
  await needCommand(lab, "task", "subscribe");
  const { skill, operations } = subscribable(1);
  const scene = await lab.scene(agent(skill, { layers: { operations } }));
  const { id } = await scene.task(true);
  const run = await scene.run(["task", "subscribe", id]);
  await scene.close();
  lab.expect(
    run.exit === 0 && run.calls("SubscribeToTask").length > 0 && namesState(run.output, "COMPLETED"),
    "SubscribeToTask, and the end of the task in the output",
    lab.describe(run),
    "Follow the stream of the task to its end.",
    run.command,
  );
  lab.expect(
    run.output.includes(word),
    "the artifact",
    "it is missing",
    "Render the artifacts of the stream.",
    run.command,
  );
};

/** TASK_SUBSCRIBE_002 */
const resumes: Probe = async (lab) => {
  let broken = 0;
  const { skill, operations } = subscribable(2);
  const { operations: breaks } = breaking(() => {
    broken += 1;
    return broken === 1;
  });
  const both: typeof operations = (perform, self) => breaks!(operations(perform, self), self);
  const scene = await lab.scene(agent(skill, { layers: { operations: both } }));
  const { id } = await scene.task(true);
  const first = await scene.run(["task", "subscribe", id]);
  const isDone = namesState(first.output, "COMPLETED");
  lab.expect(
    isDone || first.exit !== 0,
    "a new subscription after the stream breaks, or a failure",
    lab.describe(first),
    "Subscribe again, or exit with 1, when the stream breaks before the end of the task.",
    first.command,
  );
  const second = isDone ? first : await scene.run(["task", "subscribe", id]);
  await scene.close();
  lab.expect(
    namesState(second.output, "COMPLETED"),
    "the end of the task after a second subscription",
    lab.describe(second),
    "Let task subscribe follow a task again, from the first event of the new stream.",
    second.command,
  );
};

/** DOWNLOAD_001 */
const downloads: Probe = async (lab) => {
  await needCommand(lab, "task", "download");
  const scene = await lab.scene(agent(partful));
  const { id } = await scene.task();
  const run = await scene.run(["task", "download", id]);
  const saved = lab.files().filter(({ text }) => text === "name,count\nboat,3\n");
  lab.expect(
    run.exit === 0 && saved.length === 1,
    "the file of the artifact in the current folder",
    saved.length ? `${saved.length} files, ${lab.describe(run)}` : `no such file, ${lab.describe(run)}`,
    "Write each file part to disk.",
    run.command,
  );
};

/** PUSH_001 */
const configuresPush: Probe = async (lab) => {
  await needCommand(lab, "task", "push-config");
  const scene = await lab.scene(agent(asking, { push: true }));
  const { id } = await scene.task();
  const created = await createPushConfig(lab, scene, id);
  const config = oneDocument(created.output);
  const configId = textIn(config, "id") || textIn(config, "configId");
  const others = [];
  for (const [verb, operation] of [
    ["list", "ListTaskPushNotificationConfigs"],
    ["get", "GetTaskPushNotificationConfig"],
    ["delete", "DeleteTaskPushNotificationConfig"],
  ] as const) {
    const more = verb === "list" ? [] : [configId];
    const run = await firstOf(scene, [
      [verb, id, ...more],
      [verb, "--task-id", id, ...more],
    ]);
    others.push({ verb, operation, run });
  }
  await scene.close();
  const seen = (run: typeof created, operation: Operation): boolean =>
    run.exit === 0 && run.calls(operation).length > 0;
  if (![created, ...others.map(({ run }) => run)].some((run) => run.calls().length))
    lab.notMeasured("the contract does not define the arguments, and those that Assay tried were rejected");
  lab.expect(
    seen(created, "CreateTaskPushNotificationConfig"),
    "CreateTaskPushNotificationConfig",
    lab.describe(created),
    "Create the configuration.",
    created.command,
  );
  for (const { verb, operation, run } of others)
    lab.expect(seen(run, operation), operation, lab.describe(run), `Add task push-config ${verb}.`, run.command);
};

/** Runs `task push-config create` for a task, in the first spelling that the tool accepts. */
export async function createPushConfig(lab: ContractLab, scene: Scene, id: string): Promise<ToolRun> {
  const help = (await lab.run(["task", "push-config", "create", "--help"])).output;
  const hook = "http://127.0.0.1:9/hook";
  const urlFlag = optionIn(help, /url|webhook/) ?? "--url";
  return firstOf(scene, [
    ["create", id, urlFlag, hook],
    ["create", "--task-id", id, urlFlag, hook],
    ["create", id, hook],
  ]);
}

/** Tries spellings until the tool accepts one. */
async function firstOf(scene: Scene, forms: readonly (readonly string[])[]) {
  let last = await scene.run(["task", "push-config", ...forms[0]!, "--output", "json"]);
  for (const form of forms.slice(1)) {
    if (last.exit === 0) return last;
    last = await scene.run(["task", "push-config", ...form, "--output", "json"]);
  }
  return last;
}

export const taskProbes = {
  A2ACLI_TASK_GET_001: gets,
  A2ACLI_TASK_CANCEL_001: cancels,
  A2ACLI_TASK_LIST_001: lists,
  A2ACLI_TASK_SUBSCRIBE_001: subscribes,
  A2ACLI_TASK_SUBSCRIBE_002: resumes,
  A2ACLI_DOWNLOAD_001: downloads,
  A2ACLI_PUSH_001: configuresPush,
  A2ACLI_PUSH_002: async (lab: ContractLab) => lab.notMeasured("the contract names no command for the receiver"),
};
