import { allOf, lastWord, programNames, type ShellCommand, stepTo } from "./shell-tree.ts";

/** Writes the completion script for bash 3.2 and newer. Bash completes files if the script offers nothing. */
export function bashCompletion(tree: ShellCommand): string {
  const commands = allOf(tree);
  const below = commands.slice(1).map((each) => `      "${stepTo(each)}") at="${each.path}" ;;`);
  const values = commands.flatMap(({ path, flags }) =>
    flags
      .filter(({ value }) => value !== "none")
      .flatMap(({ names, value, choices }) => {
        const pattern = names.map((name) => `"${path} ${name}"`).join(" | ");
        // After a flag with an optional value, a word with a dash is the next flag.
        const guard = value === "optional" ? '[[ $cur == -* ]] || { offer "' : 'offer "';
        return `    ${pattern}) ${guard}${choices.join(" ")}"; return${value === "optional" ? "; }" : ""} ;;`;
      }),
  );
  const words = commands.map(({ path, flags, commands: inner }) => {
    const names = flags.flatMap((flag) => flag.names).join(" ");
    return `    "${path}") flags="${names}" commands="${inner.map(lastWord).join(" ")}" ;;`;
  });
  return `# Completion of assay for bash. Written by: assay completion bash
_assay() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD - 1]}" at="" flags="" commands="" i
  # Bash splits "--depth=full" at the sign.
  if [[ $cur == "=" ]]; then
    cur=""
  elif [[ $prev == "=" ]]; then
    prev="\${COMP_WORDS[COMP_CWORD - 2]}"
  fi
  offer() { COMPREPLY=($(compgen -W "$1" -- "$cur")); }
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    [[ \${COMP_WORDS[i]} == "--" ]] && return
    case "$at \${COMP_WORDS[i]}" in
${below.join("\n")}
    esac
  done
  case "$at $prev" in
${values.join("\n")}
  esac
  case "$at" in
${words.join("\n")}
  esac
  if [[ $cur == -* ]]; then offer "$flags"; else offer "$commands"; fi
}
complete -o default -F _assay ${programNames.join(" ")}
`;
}
