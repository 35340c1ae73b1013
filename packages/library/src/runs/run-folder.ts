import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Default number of runs to keep. */
export const keptRuns = 20;

const runName = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(-\d+)?$/;
const suffix = ".ndjson";

/** The folder of the recorded runs, below the working directory. */
export class RunFolder {
  readonly path: string;
  readonly #home: string;

  constructor(home = ".assay") {
    this.#home = home;
    this.path = join(home, "runs");
  }

  /** Creates the folder for its owner only, and excludes it from git. */
  prepare(): void {
    mkdirSync(this.path, { recursive: true, mode: 0o700 });
    const ignore = join(this.#home, ".gitignore");
    if (!existsSync(ignore)) writeFileSync(ignore, "*\n");
  }

  /** Returns the name of a new run. Names sort by time and are unique within a second. */
  nameAt(now: Date): string {
    const name = now.toISOString().slice(0, 19).replaceAll(":", "-");
    let candidate = name;
    for (let n = 2; existsSync(this.eventsOf(candidate)); n++) candidate = `${name}-${n}`;
    return candidate;
  }

  /** the file of the run history */
  get history(): string {
    return join(this.#home, "history.db");
  }

  /** the size of a recording in bytes */
  sizeOf(run: string): number {
    return statSync(this.eventsOf(run), { throwIfNoEntry: false })?.size ?? 0;
  }

  eventsOf(run: string): string {
    return this.beside(run, "ndjson");
  }

  /** Returns the path of a file that belongs to a run, such as its report in some format. */
  beside(run: string, extension: string): string {
    return join(this.path, `${run}.${extension}`);
  }

  /** Returns all runs, oldest first. */
  list(): string[] {
    if (!existsSync(this.path)) return [];
    return readdirSync(this.path)
      .filter((file) => file.endsWith(suffix))
      .map((file) => file.slice(0, -suffix.length))
      .filter((name) => runName.test(name))
      .sort(byTime);
  }

  /** Removes the oldest runs, with their reports, until `keep` are left. */
  prune(keep: number): void {
    const old = new Set(this.list().slice(0, -keep));
    if (!old.size) return;
    for (const file of readdirSync(this.path)) {
      if (!old.has(file.split(".", 1)[0]!)) continue;
      try {
        rmSync(join(this.path, file), { force: true });
      } catch {
        // Windows keeps a file that another program has open. The next run removes it.
      }
    }
  }
}

/**
 * Sorts by time. "…-2" and "…-10" started in the same second as the name without a number, and follow it in that order.
 */
function byTime(a: string, b: string): number {
  const [secondA, secondB] = [a.slice(0, 19), b.slice(0, 19)];
  if (secondA !== secondB) return secondA < secondB ? -1 : 1;
  return Number(a.slice(20) || 1) - Number(b.slice(20) || 1);
}
