import { relative } from "node:path";
import { agent, asking, completing } from "../agents.ts";
import { helpOf, needCommand } from "../commands.ts";
import type { Probe } from "../lab.ts";
import { headerOf, idsIn, messageOf, namesState, oneDocument, sends, textIn } from "../reading.ts";
import type { ToolRun } from "../scene.ts";
import { bearerHolders, token } from "./schemes.ts";

/** INTERACT_004 */
const reportsIds: Probe = async (lab) => {
  for (const [skill, state] of [
    [completing, "COMPLETED"],
    [asking, "INPUT_REQUIRED"],
  ] as const) {
    const scene = await lab.scene(agent(skill));
    const run = await scene.run(lab.send("go"));
    await scene.close();
    const [call] = run.calls(...sends);
    const ids = call && idsIn(call);
    if (!ids) lab.notMeasured("the tool received no task");
    const { taskId, contextId } = ids!;
    const missing = [
      ...(run.output.includes(taskId) ? [] : ["the task id"]),
      ...(run.output.includes(contextId) ? [] : ["the context id"]),
      ...(namesState(run.output, state) ? [] : [`the state ${state}`]),
    ];
    lab.expect(
      !missing.length,
      `task id, context id and state after ${state}`,
      `missing: ${missing.join(", ")}`,
      "Print all three in text output.",
      run.command,
    );
    if (state === "INPUT_REQUIRED")
      lab.expect(
        new RegExp(`send[^\\n]*--task-id[ =]'?"?${taskId}`).test(`${run.output}${run.errors}`),
        "the command that resumes the task, with --task-id and the id",
        "it is not in the output",
        "Print the exact command to resume.",
        run.command,
      );
  }
};

/** INTERACT_005 */
const keepsNoState: Probe = async (lab) => {
  const scene = await lab.scene(agent(asking));
  const first = await scene.run(lab.send("book a table"));
  const second = await scene.run(lab.send("four"));
  const again = await scene.run(lab.send("four", "--continue"));
  await scene.close();
  const [before] = first.calls(...sends);
  const [after] = second.calls(...sends);
  if (!before || !after) lab.notMeasured("the tool did not send both messages");
  const message = messageOf(after!);
  lab.expect(
    textIn(message, "taskId") === "" && textIn(message, "contextId") === "",
    "a second message that names nothing of the first interaction",
    `taskId "${textIn(message, "taskId")}", contextId "${textIn(message, "contextId")}"`,
    "Send ids only if the caller passes them.",
    second.command,
  );
  const ids = idsIn(before!);
  const kept = ids && lab.files().find(({ text }) => text.includes(ids.taskId) || text.includes(ids.contextId));
  lab.expect(
    !kept,
    "no file with a task or context id",
    kept ? `${lab.publishable(kept.path)} has one` : "",
    "Store no session state.",
    first.command,
  );
  lab.expect(
    again.exit !== 0,
    "no --continue",
    "the tool accepts --continue",
    "Remove --continue: the caller passes --task-id or --context-id.",
    again.command,
  );
};

/** Hidden folders, and the folders for settings of macOS and Windows. */
const conventional = /^(?:\.[\w-]+|Library|AppData)[\\/]/;

/** CONFIG_001 */
const guardsConfiguration: Probe = async (lab) => {
  const scene = await lab.scene(agent(completing, { access: bearerHolders() }));
  const run = await scene.run(lab.send("go", "--bearer", token));
  const open = lab.files().find(({ text, mode }) => text.includes(token) && (mode & 0o077) !== 0);
  lab.expect(
    !open,
    "no credential in a file that others can read",
    open ? `${lab.publishable(open.path)} has mode ${open.mode.toString(8)}` : "",
    "Write secrets with mode 0600.",
    run.command,
  );
  const session = lab.files().find(({ text }) => /task_?id|context_?id/i.test(text));
  lab.expect(
    !session,
    "no session state in stored files",
    session ? `${lab.publishable(session.path)} has ids` : "",
    "Store no task or context ids.",
    run.command,
  );
  const wrong = lab
    .files()
    .find(({ path }) => path.startsWith(lab.home) && !conventional.test(relative(lab.home, path)));
  lab.expect(
    !wrong,
    "files only below a conventional path",
    wrong ? lab.publishable(wrong.path) : "",
    "Store configuration below ~/.config/a2a-cli.",
    run.command,
  );
  await lab.file(".config/a2a-cli/.env", "A2ACLI_OUTPUT=json\n", { inHome: true });
  const configured = await scene.run(lab.send("go", "--bearer", token));
  const isRead = oneDocument(configured.output) !== undefined && oneDocument(run.output) === undefined;
  if (!isRead) return lab.remark("the tool stores no configuration and does not read ~/.config/a2a-cli/.env");
  lab.expect(
    (await helpOf(lab, "config", "show")) !== undefined,
    "config show, because the tool reads its configuration file",
    "the tool does not have it",
    "Add the command config show.",
    lab.commandLine("config", "show", "--help"),
  );
};

/** CONFIG_002 */
const resolvesInOrder: Probe = async (lab) => {
  await needCommand(lab, "config", "show");
  const places = ["global", "local", "environment", "flag"] as const;
  const scene = await lab.scene(agent(completing, { access: bearerHolders(...places.map((each) => `token-${each}`)) }));
  const runs: ToolRun[] = [];
  await lab.file(".config/a2a-cli/.env", "A2ACLI_BEARER=token-global\n", { inHome: true });
  runs.push(await scene.run(lab.send("go")));
  await lab.file(".env", "A2ACLI_BEARER=token-local\n");
  runs.push(await scene.run(lab.send("go")));
  const env = { A2ACLI_BEARER: "token-environment" };
  runs.push(await scene.run(lab.send("go"), { env }));
  runs.push(await scene.run(lab.send("go", "--bearer", "token-flag"), { env }));
  const shown = await lab.run(["config", "show"], { env: { A2ACLI_OUTPUT: "json" } });
  const other = await lab.file("other.env", "A2ACLI_BEARER=token-flag\n");
  const explicit = await scene.run(lab.send("go", "--config", other));
  await scene.close();
  const sent = (run: ToolRun): string =>
    run.calls(...sends).flatMap((call) => headerOf(call, "authorization"))[0] ?? lab.describe(run);
  for (const [index, place] of places.entries())
    lab.expect(
      sent(runs[index]!) === `Bearer token-${place}`,
      `the value of the ${place}, which comes before the others`,
      sent(runs[index]!),
      "Resolve settings in this order: flag, variable, local .env, global .env, default.",
      runs[index]!.command,
    );
  lab.expect(
    sent(explicit) === "Bearer token-flag",
    "the file of --config instead of the local .env",
    sent(explicit),
    "Read the file of --config instead of the local .env.",
    explicit.command,
  );
  lab.expect(
    shown.exit === 0 && /\.env/.test(shown.output) && /A2ACLI_OUTPUT|environment|env\b/i.test(shown.output),
    "config show with the value and the source of each setting",
    lab.describe(shown),
    "Print the source of each value: flag, variable, file or default.",
    shown.command,
  );
};

export const stateProbes = {
  A2ACLI_INTERACT_004: reportsIds,
  A2ACLI_INTERACT_005: keepsNoState,
  A2ACLI_CONFIG_001: guardsConfiguration,
  A2ACLI_CONFIG_002: resolvesInOrder,
};
