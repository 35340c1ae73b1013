import { allOf, lastWord, programNames, type ShellCommand, shortText, stepTo } from "./shell-tree.ts";

/** Writes the completion script for zsh, for a file in its function path or to be sourced. */
export function zshCompletion(tree: ShellCommand): string {
  const commands = allOf(tree);
  const below = commands.slice(1).map((each) => `      "${stepTo(each)}") at="${each.path}" ;;`);
  const values = commands.flatMap(({ path, flags }) =>
    flags
      .filter(({ value }) => value !== "none")
      .map(({ names, value, choices }) => {
        const pattern = names.map((name) => `"${path} ${name}"`).join(" | ");
        const offer = choices.length ? `compadd -- ${choices.map(quoted).join(" ")}` : "_files";
        // After a flag with an optional value, a word with a dash is the next flag.
        return value === "optional"
          ? `    ${pattern}) [[ $PREFIX == -* ]] || { ${offer}; return } ;;`
          : `    ${pattern}) ${offer}; return ;;`;
      }),
  );
  const words = commands.map(({ path, flags, commands: inner }) => {
    const rows = flags.flatMap(({ names, means }) => names.map((name) => row(name, means)));
    return `    "${path}")
      flags=(${rows.join(" ")})
      commands=(${inner.map((each) => row(lastWord(each), each.means)).join(" ")})
      ;;`;
  });
  return `#compdef ${programNames.join(" ")}
# Completion of assay for zsh. Written by: assay completion zsh
_assay() {
  local at="" word prev="\${words[CURRENT-1]}"
  local -a flags commands
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $word == "--" ]] && { _files; return }
    case "$at $word" in
${below.join("\n")}
    esac
  done
  # "--depth=full" is one word.
  if [[ $PREFIX == --*=* ]]; then
    prev="\${PREFIX%%=*}"
    compset -P "*="
  fi
  case "$at $prev" in
${values.join("\n")}
  esac
  case "$at" in
${words.join("\n")}
  esac
  if [[ $PREFIX == -* ]]; then
    _describe -o option flags
  elif ((\${#commands})); then
    _describe command commands
  else
    _files
  fi
}
if [[ $funcstack[1] == _assay ]]; then _assay "$@"; else compdef _assay ${programNames.join(" ")}; fi
`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Returns a name and its description, separated by a colon. */
const row = (name: string, means: string): string => quoted(`${name}:${shortText(means).replaceAll(":", "\\:")}`);
