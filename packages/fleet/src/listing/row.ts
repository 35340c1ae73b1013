/** One agent as a list writes it, before it is read; `place` is where it stands, as in `agents.csv:7`. */
export interface ListRow {
  readonly place: string;
  readonly value: unknown;
}

/** What is wrong in a list, and where. */
export interface ListMistake {
  readonly place: string;
  readonly message: string;
}

/** What a list holds, whatever it is written in. */
export interface ListDocument {
  /** what the fleet is called */
  readonly fleet?: string;
  /** settings for all of its agents, and for those with a label; checked when they are used */
  readonly defaults?: unknown;
  readonly labels?: Readonly<Record<string, unknown>>;
  readonly rows: readonly ListRow[];
  readonly mistakes: readonly ListMistake[];
}
