// Commands whose subjects are arguments: `npm run <command> -- <subject>… [arguments]`. A command is a table of them.

/**
 * Reads the command line and returns the subjects that it names, by name, and the arguments for them.
 * For `--help`, or a line that does not fit the table, it prints the table and ends the process.
 */
export function subjectsIn(command, table, { otherwise = [], flags = {} } = {}) {
  const words = process.argv.slice(2);
  const isGiven = (flag) => words.includes(flag) && flag in flags;
  const rest = words.filter((word) => !(word in flags));
  const count = rest.findIndex((word) => !(word in table));
  const named = count < 0 ? rest : rest.slice(0, count);
  const args = rest.slice(named.length);
  const names = named.length > 0 ? named : isGiven("--all") ? Object.keys(table) : otherwise;
  if (words.includes("--help")) end(0, pageOf(command, table, flags, otherwise));
  if (names.length === 0 || (named.length === 0 && args.length > 0))
    end(2, args.length > 0 ? `Unknown subject: ${args[0]}\n\n` : "", pageOf(command, table, flags, otherwise));
  const silent = args.length > 0 ? names.find((name) => names.length > 1 || !table[name].args) : undefined;
  if (silent !== undefined)
    end(2, `${silent} does not take ${args.join(" ")}\n\n`, pageOf(command, table, flags, otherwise));
  return { names: [...new Set(names)], args, isGiven };
}

function end(code, ...text) {
  process[code === 0 ? "stdout" : "stderr"].write(text.join(""));
  process.exit(code);
}

/** One line per subject: how long it takes and what it does; its arguments below it. */
function pageOf(command, table, flags, otherwise) {
  const rows = Object.entries(table).flatMap(([name, { args, means, takes }]) => [
    [name, takes, means],
    ...(args ? [["", "", `arguments: ${args}`]] : []),
  ]);
  rows.push(...Object.entries({ ...flags, "--help": "print this list" }).map(([flag, means]) => [flag, "", means]));
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column].length)));
  const lines = rows.map(
    ([name, takes, means]) => `  ${name.padEnd(widths[0])}  ${takes.padEnd(widths[1])}  ${means}\n`,
  );
  const ifNone = otherwise.length > 0 ? `Without a subject: ${otherwise.join(", ")}.\n` : "";
  const note = "Times are for two cores with nothing else to do.\n";
  return `Usage: npm run ${command} -- <subject>… [arguments]\n\n${lines.join("")}\n${ifNone}${note}`;
}
