import { type FSWatcher, readdirSync, watch } from "node:fs";
import { join } from "node:path";

/** Folders without source files, and the folder of the runs. */
const passedOver = /^(\..*|node_modules|dist|build|out|target|coverage|__pycache__|venv)$/;
const mostFolders = 2_000;
/** Editors save in several steps; one call for all of them. */
const settleMs = 300;

/** Calls once, shortly after a file below the folder was changed; stops with the signal. */
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
      // A folder that goes away while it is watched is a change like any other.
      watchers.push(watch(each, notice).on("error", () => notice("rename", null)));
    } catch {
      // Gone since it was listed, or more than the system lets us watch: the others still tell.
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
      // Not ours to read.
    }
  }
  return found;
}
