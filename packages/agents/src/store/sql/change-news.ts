import type { Database } from "@assay/storage";

const channel = "assay_tasks";
/** Servers that share a store are told what has changed once in so many milliseconds, and look for themselves now and then. */
const tellMs = 5;
const lookMs = 2_000;
/** As many keys as are told at once: what is told is at most 8,000 bytes long. */
const mostTold = 300;

interface ChangeNewsOptions {
  /** the name that this server tells others its changes under */
  readonly worker: string;
  readonly onChanged: (keys: readonly string[]) => void;
  /** Something may have been missed: called now and then, and when the connection was lost. */
  readonly onLook: () => void;
  readonly onError: (error: unknown) => void;
}

/** What servers that share a store tell each other: the tasks that have changed. A file of SQLite has one server. */
export class ChangeNews {
  readonly #database: Database;
  readonly #options: ChangeNewsOptions;
  /** what has changed and was not told yet */
  #untold = new Set<string>();
  #telling: NodeJS.Timeout | undefined;
  #looking: NodeJS.Timeout | undefined;

  constructor(database: Database, options: ChangeNewsOptions) {
    this.#database = database;
    this.#options = options;
  }

  async begin(): Promise<void> {
    const { worker, onChanged, onLook } = this.#options;
    const heard = (words: string): void => {
      const [from, ...keys] = words.split(" ");
      if (from !== worker) onChanged(keys);
    };
    await this.#database.listen(channel, heard, onLook);
    if (this.#database.kind === "postgres") this.#looking = setInterval(onLook, lookMs).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#looking);
    clearTimeout(this.#telling);
    await this.#tellNow();
  }

  tell(key: string): void {
    if (this.#database.kind === "sqlite") return;
    this.#untold.add(key);
    this.#telling ??= setTimeout(() => void this.#tellNow(), tellMs);
  }

  async #tellNow(): Promise<void> {
    this.#telling = undefined;
    const keys = [...this.#untold];
    this.#untold = new Set();
    for (let at = 0; at < keys.length; at += mostTold) {
      const words = [this.#options.worker, ...keys.slice(at, at + mostTold)].join(" ");
      // Those who do not hear it look for themselves before long.
      await this.#database.tell(channel, words).catch(this.#options.onError);
    }
  }
}
