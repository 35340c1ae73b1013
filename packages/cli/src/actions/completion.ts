import type { CompletionText } from "../commands/completion.ts";
import type { AssayCommand } from "../commands/help.ts";
import { bashCompletion } from "../completion/bash.ts";
import { fishCompletion } from "../completion/fish.ts";
import { manPage } from "../completion/man-page.ts";
import { shellTree } from "../completion/shell-tree.ts";
import { zshCompletion } from "../completion/zsh.ts";
import { type ExitCode, exitCodes } from "../exit.ts";
import type { Screen } from "../terminal/screen.ts";

/** Returns the action that prints one of the texts. */
export const printing =
  (program: AssayCommand, name: CompletionText) =>
  async (_flags: unknown, screen: Screen): Promise<ExitCode> => {
    screen.write(completionText(program, name));
    return exitCodes.fine;
  };

export function completionText(program: AssayCommand, name: CompletionText): string {
  if (name === "man") return manPage(program);
  const write = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion }[name];
  return write(shellTree(program));
}
