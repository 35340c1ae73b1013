import { type AddCommand, declare } from "./command.ts";

/** The texts that the command prints, and how to use each. */
const texts = {
  bash: {
    does: "Print the completion script for bash.",
    example: "assay completion bash > ~/.local/share/bash-completion/completions/assay",
  },
  zsh: { does: "Print the completion script for zsh.", example: "assay completion zsh > ~/.zfunc/_assay" },
  fish: {
    does: "Print the completion script for fish.",
    example: "assay completion fish > ~/.config/fish/completions/assay.fish",
  },
  man: { does: "Print the man page.", example: "assay completion man | man -l -" },
} as const;
export type CompletionText = keyof typeof texts;

export const addCompletion: AddCommand = (program, screen, done) =>
  declare("completion", {
    group: "understand",
    does: "Print a completion script for your shell, or the man page.",
    examples: Object.values(texts).map(({ example }) => [example]),
    notes: ["docs/install.md explains how to install each of them."],
    commands: Object.entries(texts).map(([name, { does, example }]) => ({
      name,
      does,
      examples: [[example]],
      action: async () => (await import("../actions/completion.ts")).printing(program, name as CompletionText),
    })),
  })(program, screen, done);
