// Commands with subjects as arguments: `npm run <command> -- <subject>… [arguments]`. A table describes each command.

/**
 * Reads the command line and returns the names of its subjects, and the arguments for them. For `--help`, or a line
 * that does not match the table, it prints the table and ends the process.
 */
export function subjectsIn(command, table, { otherwise = [], flags = {} } = {}) {
  const words = process.argv.slice(2);
  const { given, rest } = withoutFlags(words, flags);
  const isGiven = (flag) => given.has(flag);
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
  return { names: [...new Set(names)], args, isGiven, givenTo: (flag) => given.get(flag) };
}

/** Removes the flags from the words. A flag with a placeholder in the table, such as `--json <file>`, has a value. */
function withoutFlags(words, flags) {
  const takesValue = new Map(Object.keys(flags).map((flag) => [flag.split(" ")[0], flag.includes(" ")]));
  const [given, rest] = [new Map(), []];
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    if (!takesValue.has(word)) rest.push(word);
    else if (!takesValue.get(word)) given.set(word, true);
    else if (words[++at] === undefined) end(2, `${word} needs a value\n`);
    else given.set(word, words[at]);
  }
  return { given, rest };
}

function end(code, ...text) {
  process[code === 0 ? "stdout" : "stderr"].write(text.join(""));
  process.exit(code);
}

/** Formats one line per subject with its duration and purpose, and its arguments below it. */
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
