import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
// @ts-expect-error: the action is plain JavaScript
import { programOf } from "../../action/program.mjs";
import { provesAll } from "../fixtures/proves-all.fixture.ts";
import { testIf } from "../fixtures/test-if.fixture.ts";
import { useTestbed } from "../fixtures/testbed.fixture.ts";

const bed = useTestbed();
const own = `${process.execPath} ${resolve("packages/cli/bin/assay.js")}`;

function temporary(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The step as GitHub's runner runs it: with its variables, in the folder of the job. */
async function step(inputs: Record<string, string>, files: Record<string, string> = {}, more: NodeJS.ProcessEnv = {}) {
  const home = temporary("assay-action-");
  const [temp, workspace] = [join(home, "temp"), join(home, "work")];
  for (const folder of [temp, workspace]) mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(workspace, name), text);
  const [output, summary] = [join(home, "output"), join(home, "summary.md")];
  for (const file of [output, summary]) writeFileSync(file, "");
  const env = {
    ...process.env,
    CI: "true",
    GITHUB_ACTIONS: "true",
    GITHUB_ACTION_PATH: resolve("."),
    GITHUB_OUTPUT: output,
    GITHUB_STEP_SUMMARY: summary,
    RUNNER_TEMP: temp,
    ...more,
    ...Object.fromEntries(
      Object.entries({ command: own, ...inputs }).map(([name, value]) => [
        `INPUT_${name.toUpperCase().replaceAll("-", "_")}`,
        value,
      ]),
    ),
  };
  const { code, log } = await new Promise<{ code: number; log: string }>((done) => {
    // As the step of action.yml, which a shell runs.
    const { run } = parse(readFileSync("action.yml", "utf8")).runs.steps[0];
    execFile("bash", ["-e", "-c", run], { cwd: workspace, env }, (error, stdout, stderr) =>
      done({ code: error ? Number(error.code) : 0, log: stdout + stderr }),
    );
  });
  const outputs = Object.fromEntries(
    readFileSync(output, "utf8")
      .trim()
      .split("\n")
      .map((line) => line.split(/=(.*)/, 2)),
  ) as Record<string, string>;
  return { code, log, outputs, workspace, summary: readFileSync(summary, "utf8") };
}

test("an agent that conforms: outputs, a summary, a notice, and reports for later steps", async () => {
  const { code, log, outputs, summary } = await step({ url: `${bed.url}/echo`, depth: "quick" });
  expect({ code, log: code === 0 ? "" : log }).toEqual({ code: 0, log: "" });
  expect(outputs).toMatchObject({ outcome: "conformant", level: "partial", "exit-code": "0", failed: "0" });
  expect(Number(outputs["examined"])).toBeGreaterThan(100);
  expect(log).toMatch(/^::notice title=A2A%3A conformant::/m);
  expect(summary).toMatch(/^## conformant: /);
  expect(readdirSync(outputs["reports"]!)).toEqual([
    "badge.svg",
    "report.html",
    "report.json",
    "report.sarif",
    "report.xml",
  ]);
  expect(JSON.parse(readFileSync(outputs["report"]!, "utf8"))).toMatchObject({ outcome: "conformant" });
});

testIf(provesAll)("with fail-on new, only failures that an earlier report does not have fail the step", async () => {
  const agent = { url: `${bed.url}/mutants/GET-002.invalid`, depth: "quick", "fail-on": "new" };
  const first = await step({ ...agent, since: "missing.json" });
  expect(first.code).toBe(1);
  const second = await step({ ...agent, since: first.outputs["report"]! });
  expect({ code: second.code, failed: second.outputs["failed"] }).toEqual({ code: 0, failed: first.outputs["failed"] });
});

testIf(provesAll)("one that does not: the step fails, and the job is annotated", async () => {
  const { code, log, outputs } = await step({
    url: `${bed.url}/mutants/CANCEL-002.ended-too`,
    depth: "quick",
    args: "--only\nCANCEL-002",
  });
  expect({ code, outcome: outputs["outcome"], level: outputs["level"] }).toEqual({
    code: 1,
    outcome: "not-conformant",
    level: "",
  });
  expect(log).toMatch(/^::error title=CANCEL-002 /m);
});

testIf(provesAll)("the agents of assay.yaml together: the worst outcome, and all counts", async () => {
  const agents = ["full", "minimal"].map((name) => `  - { name: ${name}, url: "${bed.url}/${name}" }`);
  const { code, outputs } = await step({ depth: "card" }, { "assay.yaml": `agents:\n${agents.join("\n")}\n` });
  expect({ code, outcome: outputs["outcome"] }).toEqual({ code: 0, outcome: "conformant" });
  expect(readdirSync(outputs["reports"]!).filter((file) => file.endsWith(".json"))).toEqual([
    "report.full.json",
    "report.minimal.json",
  ]);
});

test("a secret is in the environment, and no argument", async () => {
  // In the place of Assay: shows what it was called with.
  const script = "show.mjs";
  const { log } = await step(
    { command: `${process.execPath} ${script}`, url: "http://a.test", bearer: "hunter2", "api-key": "X-Key=hunter3" },
    {
      [script]:
        "console.log(process.argv.slice(2).join(' ')); console.log(process.env.ASSAY_ACTION_BEARER, process.env.ASSAY_ACTION_API_KEY);",
    },
  );
  const [args, variables] = log.split("\n");
  expect(args).toContain("--bearer env:ASSAY_ACTION_BEARER --api-key X-Key=env:ASSAY_ACTION_API_KEY");
  expect(args).toMatch(/ -- http:\/\/a\.test$/);
  expect(args).not.toMatch(/hunter/);
  expect(variables).toBe("hunter2 hunter3");
});

test("what cannot be run, or was called wrongly, is no success and no report", async () => {
  const missing = await step({ command: "no-such-command", url: bed.url });
  expect(missing).toMatchObject({ code: 3, outputs: { outcome: "", report: "" } });
  expect(missing.log).toContain("::error title=A2A::Cannot run no-such-command (ENOENT)");
  const wrong = await step({ url: bed.url, depth: "bottomless" });
  expect(wrong).toMatchObject({ code: 2, outputs: { outcome: "", "exit-code": "2" } });
});

test("without a command and a version, the code of the repository is built and run", async () => {
  const repository = temporary("assay-checkout-");
  cpSync("action", join(repository, "action"), { recursive: true });
  for (const folder of ["scripts", "packages/cli/bin"]) mkdirSync(join(repository, folder), { recursive: true });
  writeFileSync(join(repository, "scripts/build.mjs"), "console.log('built in', process.cwd());");
  writeFileSync(join(repository, "packages/cli/bin/assay.js"), "console.log('run with', process.argv[2]);");
  const { code, log } = await step({ command: "", url: bed.url }, {}, { GITHUB_ACTION_PATH: repository });
  expect({ code, log }).toEqual({ code: 0, log: `built in ${repository}\nrun with test\n` });
  writeFileSync(join(repository, "scripts/build.mjs"), "process.exit(1);");
  const failed = await step({ command: "", url: bed.url }, {}, { GITHUB_ACTION_PATH: repository });
  expect(failed).toMatchObject({ code: 3, log: expect.stringContaining("Cannot build Assay from its repository") });
});

test("action.yml hands every input on, and gives every output that there is", async () => {
  const { inputs, outputs, runs } = parse(readFileSync("action.yml", "utf8"));
  const handed = Object.values<string>(runs.steps[0].env).map((value) => /inputs\.([\w-]+)/.exec(value)![1]);
  expect(handed).toEqual(Object.keys(inputs));
  const given = await step({ command: "no-such-command", url: bed.url });
  expect(Object.keys(outputs).sort()).toEqual(Object.keys(given.outputs).sort());
});

test("inputs never pass through a shell, also on Windows", async () => {
  const script =
    "import { writeFileSync } from 'node:fs'; writeFileSync('args.json', JSON.stringify(process.argv.slice(2)));";
  const hostile = '--only=CARD-001" & calc & echo %PATH% $(id) `id`';
  const { workspace } = await step(
    { command: `${process.execPath} tell.mjs`, args: hostile, url: "http://a.example/?x=1&y=^%2" },
    { "tell.mjs": script },
    // As Node sees it on Windows; a shell would be cmd.exe there.
    { NODE_OPTIONS: "--import=data:text/javascript,Object.defineProperty(process,'platform',{value:'win32'})" },
  );
  const args = JSON.parse(readFileSync(join(workspace, "args.json"), "utf8")) as string[];
  expect(args[0]).toBe("test");
  expect(args).toContain(hostile);
  expect(args.slice(-2)).toEqual(["--", "http://a.example/?x=1&y=^%2"]);
});

test.each([
  ["linux", "/usr/bin/node", "npx", []],
  ["win32", "C:\\node\\node.exe", "C:\\node\\node.exe", ["C:\\node\\node_modules\\npm\\bin\\npx-cli.js"]],
])("npx is a program that can be run without a shell: %s", (platform, execPath, command, before) => {
  const found = programOf(["npx", "--yes", "a2a-assay@1.0.0"], { platform, execPath });
  expect(found).toEqual([command, ...before, "--yes", "a2a-assay@1.0.0"]);
});
