// `npm run generate -- first-run`: records `assay demo` in a terminal, and writes it as an animation,
// docs/first-run.svg.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mostBytes } from "../pictures.mjs";
import { root } from "../steps.mjs";
import { animationOf } from "./terminal-animation.mjs";
import { terminalScreen } from "./terminal-screen.mjs";

const [columns, rows] = [100, 32];
/** Merges frames that are closer together than this, because nothing between them is visible and each costs bytes. */
const shortest = 0.3;
/** Seconds that the prompt and the end stay visible. */
const [opening, ending] = [1, 10];

const frames = recorded();
const picture = animationOf(frames, {
  ...{ columns, rows },
  title:
    "A tour of Assay in a terminal: a good agent passes, a broken one fails with the rule, the exchange and the fix",
});
const bytes = Buffer.byteLength(picture);
if (bytes > mostBytes) throw new Error(`The picture has ${bytes} bytes, more than ${mostBytes}.`);
writeFileSync(join(root, "docs/first-run.svg"), picture);
process.stdout.write(`docs/first-run.svg: ${bytes} bytes, ${frames.length} frames\n`);

/** Runs the command in a terminal with `script` of util-linux, which records the time of each output. */
function recorded() {
  const home = mkdtempSync(join(tmpdir(), "assay-first-run-"));
  const env = { ...process.env, TERM: "xterm-256color" };
  for (const name of ["CI", "NO_COLOR", "DISPLAY", "WAYLAND_DISPLAY"]) delete env[name];
  const command = `stty cols ${columns} rows ${rows}; exec '${process.execPath}' '${join(root, "packages/cli/bin/assay.js")}' demo`;
  const words = ["-q", "-e", "-E", "never", "-O", "out", "-T", "times", "-c", command];
  const { status, error } = spawnSync("script", words, { cwd: home, env, stdio: "ignore" });
  if (status !== 0) throw new Error(`script ended with ${error?.message ?? status}`);
  const out = readFileSync(join(home, "out"));
  const times = readFileSync(join(home, "times"), "utf8").trim().split("\n");
  rmSync(home, { recursive: true });

  const screen = terminalScreen(columns);
  const shown = () => screen.lines().slice(-rows);
  screen.write("$ npx a2a-assay demo\r\n");
  const frames = [{ at: 0, lines: shown() }];
  // The first line of the recording is a header of `script`.
  let read = out.indexOf("\n") + 1;
  let at = opening;
  for (const row of times) {
    const [wait, length] = row.split(" ").map(Number);
    at += wait;
    screen.write(out.subarray(read, read + length).toString());
    read += length;
    const last = frames.at(-1);
    if (frames.length > 1 && at - last.at < shortest) last.lines = shown();
    else frames.push({ at, lines: shown() });
  }
  return [...frames, { at: at + ending, lines: shown() }];
}
