import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { agent, answering } from "../agents.ts";
import { needCommand } from "../commands.ts";
import type { ContractLab, Probe } from "../lab.ts";

/** CLI_001 */
const helps: Probe = async (lab) => {
  for (const args of [["--help"], ["help"], ["send", "--help"], ["task", "get", "--help"]]) {
    const run = await lab.run(args);
    lab.expect(
      run.exit === 0 && /usage/i.test(run.output),
      "the usage on stdout, with exit code 0",
      lab.describe(run),
      "Print the usage.",
      run.command,
    );
  }
  for (const flag of ["--version", "-v"]) {
    const run = await lab.run([flag]);
    const found = /\d+\.\d+[\w.+-]*/.exec(run.output)?.[0] ?? /\bdev\b/.exec(run.output)?.[0];
    if (run.exit === 0 && found !== undefined) lab.learned.version ??= found;
    lab.expect(
      run.exit === 0 && found !== undefined && run.output.trim().split("\n").length <= 3,
      "the version of the tool",
      lab.describe(run),
      `Print the version with ${flag}.`,
      run.command,
    );
  }
  const help = await lab.run(["send", "--help"]);
  lab.expect(
    /default/i.test(help.output),
    "the defaults in the help of send",
    "there are none",
    "Show the default of each option.",
    help.command,
  );
};

/** CLI_002 */
const completes: Probe = async (lab) => {
  const script = await lab.run(["completion", "bash"]);
  lab.expect(
    script.exit === 0 && /\bcomplete\b/.test(script.output),
    "a completion script for bash",
    lab.describe(script),
    "Print a completion script.",
    script.command,
  );
  const unknown = await lab.run(["completion", "no-such-shell"]);
  lab.expect(
    unknown.exit !== 0 || !/\bcomplete -/.test(unknown.output),
    "no script for an unknown shell",
    lab.describe(unknown),
    "Report a usage error.",
    unknown.command,
  );
};

/** CONFORM_001 */
const checksAgents: Probe = async (lab) => {
  await needCommand(lab, "conformance");
  const scene = await lab.scene(agent(answering));
  const run = await scene.run(["conformance"]);
  await scene.close();
  lab.expect(
    run.ended === "exit" && run.calls().length > 0 && run.output !== "",
    "calls to the agent, and a result",
    run.calls().length ? lab.describe(run) : `no call, ${lab.describe(run)}`,
    "Check the agent of --agent-card.",
    run.command,
  );
};

const address = /https?:\/\/(?:127\.0\.0\.1|localhost|0\.0\.0\.0|\[::1?\]):(\d+)/;

/** DEMO_SERVER_001 */
const demonstrates: Probe = async (lab) => {
  await needCommand(lab, "demo-server");
  let printed = "";
  let card: string | undefined;
  let stop = (): void => {};
  const interrupt = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const ended = new AbortController();
  const run = await lab.run(["demo-server"], {
    interrupt,
    onOutput(text) {
      printed += text;
      const port = address.exec(printed)?.[1];
      if (port === undefined || card !== undefined) return;
      card = "";
      void readCard(port, ended.signal).then((found) => {
        card = found;
        stop();
      });
    },
  });
  // A server that does not answer is given up when its run is over, and a late run gets a second attempt.
  ended.abort();
  lab.expect(
    card?.includes('"supportedInterfaces"') ?? false,
    "an address in the output, and a card below it",
    card === undefined ? `no address, ${lab.describe(run)}` : "no card",
    "Print the address of the agent and serve its card.",
    run.command,
  );
};

const readCard = (port: string, signal: AbortSignal): Promise<string> =>
  fetch(`http://127.0.0.1:${port}/.well-known/agent-card.json`, { signal }).then(
    (response) => response.text(),
    () => "",
  );

/** The contract requires a short skill without a number. A longer one gets a remark. */
const manyLines = 500;

/** Returns the texts of the skills in the folder of --agent-skill. */
function skillsOf(lab: ContractLab): readonly string[] {
  const { agentSkill } = lab;
  if (agentSkill === undefined)
    return lab.notMeasured("Assay does not know whether the tool ships an Agent Skill: --agent-skill <folder|none>");
  if (agentSkill === "none") return lab.inapplicable("the tool ships no Agent Skill (--agent-skill none)");
  if (!existsSync(agentSkill)) return lab.notMeasured("the folder of --agent-skill does not exist");
  return readdirSync(agentSkill, { recursive: true, encoding: "utf8" })
    .filter((file) => /(^|[\\/])SKILL\.md$/.test(file))
    .map((file) => readFileSync(join(agentSkill, file), "utf8"));
}

/** SKILL_001 */
const shipsSkill: Probe = async (lab) => {
  const skills = skillsOf(lab);
  lab.expect(skills.length === 1, "exactly one SKILL.md", `${skills.length}`, "Ship one skill.");
  const text = skills[0] ?? "";
  const lines = text.split("\n").length;
  if (lines > manyLines) lab.remark(`the skill has ${lines} lines, and should be short`);
  lab.expect(/--help|\bhelp\b/.test(text), "a pointer to the help", "none", "Let the agent read the help at run time.");
};

/** SKILL_002 */
const separatesSkill: Probe = async (lab) => {
  const skills = skillsOf(lab);
  const normative = skills.flatMap(
    (text) => text.match(/A2ACLI_[A-Z_]+_\d+|\b(?:a2a-cli|tool|implementation) (?:MUST|SHALL)\b/g) ?? [],
  );
  lab.expect(
    skills.length > 0 && !normative.length,
    "no requirements in the skill",
    normative.slice(0, 3).join(", ") || "no skill",
    "Describe how to use the tool, not what the contract requires.",
  );
  // Advice to the agent that uses the tool may have such words, too.
  const others = skills.flatMap((text) => text.match(/[^.\n]*\b(?:MUST|SHALL|REQUIRED)\b[^.\n]*/g) ?? []);
  if (others.length) lab.remark(`read whether this repeats a requirement: "${others[0]!.trim().slice(0, 120)}"`);
};

export const surfaceProbes = {
  A2ACLI_CLI_001: helps,
  A2ACLI_CLI_002: completes,
  A2ACLI_CONFORM_001: checksAgents,
  A2ACLI_DEMO_SERVER_001: demonstrates,
  A2ACLI_SKILL_001: shipsSkill,
  A2ACLI_SKILL_002: separatesSkill,
};
