import type { Binding } from "@assay/protocol";
import { agent, answering, completing, ending, ordered } from "../agents.ts";
import type { ContractLab, Probe } from "../lab.ts";
import { errorIn, namesState, textIn } from "../reading.ts";
import type { ToolRun } from "../scene.ts";

/** The codes of the contract, with the exit code of each. */
export const localCodes = {
  A2ACLI_ERR_USAGE: 2,
  A2ACLI_ERR_CARD_NOT_FOUND: 3,
  A2ACLI_ERR_CARD_INVALID: 1,
  A2ACLI_ERR_UNREACHABLE: 3,
  A2ACLI_ERR_CREDENTIALS_MISSING: 4,
  A2ACLI_ERR_AUTH_FAILED: 4,
  A2ACLI_ERR_TIMEOUT: 5,
  A2ACLI_ERR_INTERNAL: 1,
} as const satisfies Readonly<Record<string, number>>;

/** An address where no agent listens. */
const nowhere = "http://127.0.0.1:9";

interface Trouble {
  readonly what: string;
  readonly code: keyof typeof localCodes;
  readonly run: ToolRun;
}

/** Puts the tool into the troubles that are its own. */
async function localTroubles(lab: ContractLab): Promise<readonly Trouble[]> {
  const scene = await lab.scene(agent(answering));
  const broken = await lab.file("broken.json", "{ not a card");
  const json = ["--output", "json"];
  const notThere = `${scene.url}/no/such/card.json`;
  return [
    {
      what: "an agent that cannot be reached",
      code: "A2ACLI_ERR_UNREACHABLE",
      run: await scene.runAsIs(lab.send("hello", "--agent-card", nowhere, ...json)),
    },
    {
      what: "a card URL that returns 404",
      code: "A2ACLI_ERR_CARD_NOT_FOUND",
      run: await scene.runAsIs(["card", "get", "--agent-card", notThere, ...json]),
    },
    {
      what: "a card that is not JSON",
      code: "A2ACLI_ERR_CARD_INVALID",
      run: await scene.runAsIs(["card", "get", "--agent-card", broken, ...json]),
    },
    {
      what: "an unknown option",
      code: "A2ACLI_ERR_USAGE",
      run: await scene.run(lab.send("hello", ...json, "--no-such-option")),
    },
  ];
}

const httpBindings: readonly Binding[] = ["JSONRPC", "HTTP+JSON"];

/** Requests an unknown task over each transport that the tool speaks. */
async function unknownTasks(lab: ContractLab): Promise<readonly ToolRun[]> {
  const runs = [];
  for (const binding of httpBindings) {
    const scene = await lab.scene(agent(completing, { layers: ordered(binding) }));
    const run = await scene.run(["task", "get", "no-such-task", "--output", "json"]);
    await scene.close();
    if (run.calls("GetTask").length) runs.push(run);
  }
  return runs;
}

/** OUT_004 */
const writesErrors: Probe = async (lab) => {
  const protocol = await unknownTasks(lab);
  if (!protocol.length) lab.notMeasured("the tool sent no GetTask");
  for (const run of protocol) {
    const error = errorIn(run);
    lab.expect(
      textIn(error, "code") === "TaskNotFoundError" && textIn(error, "message") !== "",
      'an object {"error": {"code": "TaskNotFoundError", "message": …}} on stdout',
      error ? `code "${textIn(error, "code")}"` : lab.describe(run),
      "Print the error object with the name of the A2A error.",
      run.command,
    );
  }
  const local = await localTroubles(lab);
  for (const { what, code, run } of local) {
    const error = errorIn(run);
    // One reference may be unreachable and not a card at the same time.
    const accepted = code === "A2ACLI_ERR_UNREACHABLE" ? [code, "A2ACLI_ERR_CARD_NOT_FOUND"] : [code];
    lab.expect(
      accepted.includes(textIn(error, "code")),
      `${code} for ${what}`,
      error ? `code "${textIn(error, "code")}"` : lab.describe(run),
      `Print the error object with the code ${code}.`,
      run.command,
    );
  }
  const runs = [...protocol, ...local.map(({ run }) => run)];
  const printed = runs.flatMap(({ output, errors }) => `${output}${errors}`.match(/A2ACLI_ERR_[A-Z_]+/g) ?? []);
  const invented = printed.filter((code) => !(code in localCodes));
  lab.expect(
    !invented.length,
    "only codes of the contract with the prefix A2ACLI_ERR_",
    invented.join(", "),
    "Give own codes another prefix.",
  );
  const hints = runs.filter((run) => textIn(errorIn(run), "hint") !== "");
  lab.expect(hints.length > 0, "a hint in an error object", "none of the errors has one", "Fill the member hint.");
};

/** EXIT_001 */
const exitsAsAgreed: Probe = async (lab) => {
  const scene = await lab.scene(agent(answering));
  const fine = await scene.run(lab.send("hello"));
  lab.succeeds(fine, "send ends", "Exit with 0 after a response.");
  const usage = await scene.run(lab.send("hello", "--no-such-option"));
  lab.expect(
    usage.exit === 2,
    "exit code 2 for an unknown option",
    lab.describe(usage),
    "Exit with 2 after a usage error.",
    usage.command,
  );
  const protocol = await unknownTasks(lab);
  for (const run of protocol)
    lab.expect(
      run.exit === 1,
      "exit code 1 for an error of the agent",
      lab.describe(run),
      "Exit with 1 after an error of the protocol.",
      run.command,
    );
  for (const { what, code, run } of await localTroubles(lab)) {
    if (code === "A2ACLI_ERR_USAGE") continue;
    const reported = textIn(errorIn(run), "code");
    const meant = localCodes[(reported in localCodes ? reported : code) as keyof typeof localCodes];
    lab.expect(
      run.exit === meant || (run.exit === 1 && meant > 2),
      `exit code ${meant}${meant > 2 ? " or 1" : ""} for ${what}`,
      lab.describe(run),
      `Exit with ${meant}.`,
      run.command,
    );
  }
  if (!protocol.length) lab.notMeasured("the tool sent no GetTask, so its exit code for a protocol error is unknown");
};

/** EXIT_002 */
const decouples: Probe = async (lab) => {
  for (const [state, name] of [
    ["failed", "FAILED"],
    ["rejected", "REJECTED"],
    ["input-required", "INPUT_REQUIRED"],
    ["auth-required", "AUTH_REQUIRED"],
  ] as const) {
    const scene = await lab.scene(agent(ending(state)));
    const run = await scene.run(lab.send("go"));
    lab.expect(
      run.exit === 0 && namesState(run.output, name),
      `exit code 0 and the state ${name}`,
      lab.describe(run),
      "Exit with 0 whatever the outcome of the task, and print its state.",
      run.command,
    );
    lab.expect(
      namesState(run.errors, name),
      `a warning on stderr that names ${name}`,
      run.errors === "" ? "nothing on stderr" : lab.describe(run),
      "Warn on stderr about every outcome except COMPLETED.",
      run.command,
    );
  }
};

export const errorProbes = {
  A2ACLI_OUT_004: writesErrors,
  A2ACLI_EXIT_001: exitsAsAgreed,
  A2ACLI_EXIT_002: decouples,
};
