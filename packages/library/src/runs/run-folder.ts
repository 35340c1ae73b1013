import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Default number of runs to keep. */
export const keptRuns = 20;

const runName = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(-\d+)?$/;
const suffix = ".ndjson";

/** The folder in which runs are kept, below the folder the user works in. */
export class RunFolder {
  readonly path: string;
  readonly #home: string;

  constructor(home = ".assay") {
    this.#home = home;
    this.path = join(home, "runs");
  }

  /** Makes the folder, for its owner alone, and keeps it out of everybody's repository. */
  prepare(): void {
    mkdirSync(this.path, { recursive: true, mode: 0o700 });
    const ignore = join(this.#home, ".gitignore");
    if (!existsSync(ignore)) writeFileSync(ignore, "*\n");
  }

  /** Names a new run; names sort by time, and are unique within a second. */
  nameAt(now: Date): string {
    const name = now.toISOString().slice(0, 19).replaceAll(":", "-");
    let candidate = name;
    for (let n = 2; existsSync(this.eventsOf(candidate)); n++) candidate = `${name}-${n}`;
    return candidate;
  }

  /** where the history of the runs is kept */
  get history(): string {
    return join(this.#home, "history.db");
  }

  /** how long the recording of a run is */
  sizeOf(run: string): number {
    return statSync(this.eventsOf(run), { throwIfNoEntry: false })?.size ?? 0;
  }

  eventsOf(run: string): string {
    return this.beside(run, "ndjson");
  }

  /** A file that belongs to a run: its report in some format. */
  beside(run: string, extension: string): string {
    return join(this.path, `${run}.${extension}`);
  }

  /** All runs, the oldest first. */
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

/** "…-2" and "…-10" begin in the same second as the name without a number, and come after it in that order. */
function byTime(a: string, b: string): number {
  const [secondA, secondB] = [a.slice(0, 19), b.slice(0, 19)];
  if (secondA !== secondB) return secondA < secondB ? -1 : 1;
  return Number(a.slice(20) || 1) - Number(b.slice(20) || 1);
}
