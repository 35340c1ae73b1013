import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { completionText } from "../actions/completion.ts";
import { createProgram } from "../main.ts";
import { paperScreen } from "../screen.fixture.ts";
import { allOf, shellTree } from "./shell-tree.ts";

const program = createProgram(paperScreen(), () => {});
const tree = shellTree(program);
const folder = mkdtempSync(join(tmpdir(), "assay-completion-"));
const fileOf = (name: string) => join(folder, name);
beforeAll(() => {
  for (const name of ["bash", "zsh", "fish", "man"] as const)
    writeFileSync(fileOf(name), completionText(program, name));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** `npm test` installs what is missing, or says so (scripts/shells.mjs). Paths in a bash of Windows are others. */
const isThere = (name: string) => process.platform !== "win32" && spawnSync(name, ["-c", "exit"]).error === undefined;

/** Completes a line in a real shell: its last word is the one under the cursor. */
type Complete = (line: string) => string[];

function outputOf(shell: string, script: string, words: readonly string[]): string[] {
  const { stdout, stderr } = spawnSync(shell, ["-c", script, shell, ...words], { encoding: "utf8" });
  expect(stderr).toBe("");
  return stdout.split("\n").filter(Boolean);
}

const inBash: Complete = (line) => {
  const script = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _assay; printf '%s\\n' "\${COMPREPLY[@]}"`;
  // Bash makes words of its own around the sign.
  return outputOf("bash", script, [fileOf("bash"), ...line.replaceAll("=", " = ").split(" ")]);
};

/** The functions of zsh that show a menu print their rows instead. */
const inZsh: Complete = (line) => {
  const script = `compdef() { : }; _files() { print FILES }; compset() { PREFIX=\${PREFIX#*=} }
    compadd() { shift; print -l -- \${(M)@:#$PREFIX*} }
    _describe() { local row; for row in "\${(@P)@[-1]}"; do [[ $row != $PREFIX* ]] || print -r -- \${row%%:*}; done }
    source "$1"; shift; words=("$@"); CURRENT=$#; PREFIX=\${words[-1]}; _assay`;
  return outputOf("zsh", script, [fileOf("zsh"), ...line.split(" ")]);
};

const inFish: Complete = (line) => {
  const script = `source $argv[2]; complete -C $argv[3] | string replace -r '\\t.*' ''`;
  return outputOf("fish", script, [fileOf("fish"), line]);
};

const shells: Record<string, { readonly complete: Complete; readonly value: (text: string) => string }> = {
  bash: { complete: inBash, value: (text) => text },
  zsh: { complete: inZsh, value: (text) => text },
  // Fish offers the whole word.
  fish: { complete: inFish, value: (text) => `--depth=${text}` },
};

describe.each(Object.entries(shells))("completion in %s", (name, { complete, value }) => {
  const tried = test.skipIf(!isThere(name));

  tried("offers commands, and the commands below a command", () => {
    expect(complete("assay te")).toEqual(["test"]);
    expect(complete("assay completion ").toSorted()).toEqual(["bash", "fish", "man", "zsh"]);
    const commands = tree.commands.map(({ path }) => path);
    expect(commands.length).toBeGreaterThan(25);
    expect(complete("assay ")).toEqual(expect.arrayContaining(commands));
  });

  tried("offers the flags of the command, and no others", () => {
    expect(complete("assay test http://127.0.0.1:9999 --dep")).toEqual(["--depth"]);
    expect(complete("assay completion bash --").filter((each) => each !== "--help")).toEqual([]);
    expect(complete("assay coverage --ar")).toEqual(["--area"]);
  });

  tried("offers the choices of a flag, in both spellings", () => {
    const choices = ["card", "free", "full", "quick"];
    expect(complete("assay test --depth ").toSorted()).toEqual(choices);
    expect(complete("assay test --depth f").toSorted()).toEqual(["free", "full"]);
    expect(complete("assay test --depth=f").toSorted()).toEqual(["free", "full"].map(value));
  });

  tried("offers no flags after --, where the words of another program start", () => {
    expect(complete("assay client -- node --").filter((each) => each.startsWith("--"))).toEqual([]);
  });
});

test("every name and choice is safe inside the scripts", () => {
  const words = allOf(tree).flatMap(({ path, flags }) => [
    ...path.split(" "),
    ...flags.flatMap(({ names, choices }) => [...names, ...choices]),
  ]);
  expect(words.filter((word) => !/^[\w.:+/-]*$/.test(word))).toEqual([]);
});

test("the man page is ASCII, which every terminal shows", () => {
  const page = completionText(program, "man");
  expect(page.split("\n").filter((line) => /[^ -~]/.test(line))).toEqual([]);
  expect(page).toContain("query:name=...");
});

test("the man page has every command and every flag", () => {
  const page = completionText(program, "man").replaceAll("\\-", "-");
  const missing = allOf(tree)
    .filter(({ path, commands }) => path !== "" && commands.length === 0)
    .flatMap(({ path, flags }) => {
      const [, after = ""] = page.split(new RegExp(`^\\.SS "assay ${path}[ "]`, "m"));
      const [section = ""] = after.split(/^\.S[SH] /m);
      const names = flags.map(({ names: [first] }) => first!).filter((flag) => flag !== "--help");
      return names.filter((flag) => !new RegExp(`${flag}(?![\\w-])`).test(section)).map((flag) => `${path} ${flag}`);
    });
  expect(missing).toEqual([]);
});

test.skipIf(!isThere("mandoc"))("mandoc accepts the man page", () => {
  const { status, stdout, stderr } = spawnSync("mandoc", ["-T", "lint", "-W", "error", fileOf("man")], {
    encoding: "utf8",
  });
  expect([status, stdout, stderr]).toEqual([0, "", ""]);
});
