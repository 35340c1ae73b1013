import type { Database } from "@assay/storage";

const channel = "assay_tasks";
/**
 * Interval in milliseconds between change notifications to other servers of a store; they also check by
 * themselves now and then.
 */
const tellMs = 5;
const lookMs = 2_000;
/** Maximum number of keys per notification, because its payload is limited to 8,000 bytes. */
const mostTold = 300;

interface ChangeNewsOptions {
  /** the name of this server in its notifications */
  readonly worker: string;
  readonly onChanged: (keys: readonly string[]) => void;
  /** Called when a notification may have been missed: now and then, and after a lost connection. */
  readonly onLook: () => void;
  readonly onError: (error: unknown) => void;
}

/** Notifies the other servers of a store of changed tasks. A SQLite file has only one server. */
export class ChangeNews {
  readonly #database: Database;
  readonly #options: ChangeNewsOptions;
  /** changed keys that were not announced yet */
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
      // Servers that miss it check by themselves before long.
      await this.#database.tell(channel, words).catch(this.#options.onError);
    }
  }
}
