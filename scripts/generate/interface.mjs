import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../steps.mjs";

/** The exports of the package, by the file that declares them. */
const entries = { ".": "packages/library/src/index.ts", "./report": "packages/suite/src/report/index.ts" };

/**
 * Returns the public interface of a version: commands with options, values and exit codes, and the library's exports.
 */
export function interfaceOf({ createProgram, shellTree, visibleCommands }) {
  const commands = {};
  const add = (command, path) => {
    const { exitCodes = {} } = command.helpText();
    const flags = shellTree(command).flags.flatMap(({ names, value, choices }) =>
      names.map((name) => [name, choices.length > 0 ? { value, choices } : { value }]),
    );
    commands[path] = { options: Object.fromEntries(flags), exitCodes: Object.keys(exitCodes).map(Number) };
    for (const each of visibleCommands(command)) add(each, `${path} ${each.name()}`);
  };
  add(createProgram(), "assay");
  const exports = Object.entries(entries).map(([name, file]) => [name, exportsIn(file)]);
  return { commands, exports: Object.fromEntries(exports) };
}

/** Returns the exported names of an index file, which lists each one. */
const exportsIn = (file) =>
  [...readFileSync(join(root, file), "utf8").matchAll(/^export (?:type )?\{([^}]*)\}/gm)]
    .flatMap(([, names]) => names.split(","))
    .map((name) =>
      name
        .trim()
        .replace(/^type /, "")
        .split(" as ")
        .at(-1),
    )
    .filter(Boolean)
    .sort();

/** Lists everything that a program or script for the earlier version would miss in the later one. */
export function interfaceChanges(before, after) {
  const commands = Object.entries(before.commands).flatMap(([command, { options, exitCodes }]) => {
    const now = after.commands[command];
    if (!now) return [`${command} is removed`];
    return [
      ...Object.entries(options).flatMap(([option, was]) =>
        optionChanges(`${command} ${option}`, was, now.options[option]),
      ),
      ...exitCodes
        .filter((code) => !now.exitCodes.includes(code))
        .map((code) => `${command}: the exit code ${code} is removed`),
    ];
  });
  const exports = Object.entries(before.exports).flatMap(([entry, names]) =>
    names
      .filter((name) => !after.exports[entry]?.includes(name))
      .map((name) => `the export ${name} of ${entry} is removed`),
  );
  return [...commands, ...exports];
}

function optionChanges(option, was, now) {
  if (!now) return [`${option} is removed`];
  if (now.value !== was.value && now.value !== "optional") return [`${option}: its value was ${was.value}`];
  const lost = (was.choices ?? []).filter((choice) => now.choices && !now.choices.includes(choice));
  return [
    ...lost.map((choice) => `${option}: the value ${choice} is removed`),
    ...(now.choices && !was.choices ? [`${option}: only some values are accepted now`] : []),
  ];
}
