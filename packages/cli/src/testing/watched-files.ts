import { type FSWatcher, readdirSync, watch } from "node:fs";
import { join } from "node:path";

/** Folders without source files, and the folder of the runs. */
const passedOver = /^(\..*|node_modules|dist|build|out|target|coverage|__pycache__|venv)$/;
const mostFolders = 2_000;
/** The delay before a call, because editors save in several steps. */
const settleMs = 300;

/** Calls `changed` shortly after a file below the folder changed. The signal ends the watch. */
export function watchFiles(folder: string, changed: () => void, signal: AbortSignal): void {
  const watchers: FSWatcher[] = [];
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
  const notice = (_event: string, file: string | null): void => {
    if (file !== null && passedOver.test(file)) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      stop();
      changed();
    }, settleMs);
  };
  for (const each of foldersBelow(folder)) {
    try {
      // The error of a watched folder that disappears counts as a change.
      watchers.push(watch(each, notice).on("error", () => notice("rename", null)));
    } catch {
      // The folder is gone, or the system allows no more watchers. The other watchers still work.
    }
  }
  signal.addEventListener("abort", stop, { once: true });
}

function foldersBelow(root: string): string[] {
  const found = [root];
  for (let at = 0; at < found.length && found.length < mostFolders; at++) {
    const here = found[at]!;
    try {
      for (const entry of readdirSync(here, { withFileTypes: true })) {
        if (entry.isDirectory() && !passedOver.test(entry.name)) found.push(join(here, entry.name));
      }
    } catch {
      // Assay may not read this folder.
    }
  }
  return found;
}
