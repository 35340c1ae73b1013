import { allOf, lastWord, programNames, type ShellCommand, type ShellFlag, shortText, stepTo } from "./shell-tree.ts";

/** Writes the completion script for fish 3 and newer. */
export function fishCompletion(tree: ShellCommand): string {
  const commands = allOf(tree);
  const [name, ...others] = programNames;
  const below = commands
    .slice(1)
    .map((each) => `      case ${quoted(stepTo(each))}\n        set at ${quoted(each.path)}`);
  const lines = commands.flatMap(({ path, flags, commands: inner }) => {
    const here = `complete -c ${name} -n ${quoted(`__assay_at "${path}"`)}`;
    return [
      ...inner.map((each) => `${here} -f -a ${lastWord(each)} -d ${quoted(shortText(each.means))}`),
      ...flags.map((flag) => `${here} ${flagWords(flag)} -d ${quoted(shortText(flag.means))}`),
    ];
  });
  return `# Completion of assay for fish. Written by: assay completion fish
function __assay_at --argument-names wanted
  set -l at ""
  for word in (commandline -opc)[2..-1]
    switch "$at $word"
      case "* --"
        return 1
${below.join("\n")}
    end
  end
  test "$at" = "$wanted"
end
${lines.join("\n")}
${others.map((other) => `complete -c ${other} -w ${name}`).join("\n")}
`;
}

function flagWords({ names, value, choices }: ShellFlag): string {
  const spelled = names.map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  // -x requires a value and offers no files; -r requires a value. An optional value gets neither.
  const wants = value === "required" ? (choices.length ? ["-x"] : ["-r"]) : [];
  return [...spelled, ...wants, ...(choices.length ? [`-a ${quoted(choices.join(" "))}`] : [])].join(" ");
}

const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
