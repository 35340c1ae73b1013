/** One agent of a list, before validation; `place` is its position, as in `agents.csv:7`. */
export interface ListRow {
  readonly place: string;
  readonly value: unknown;
}

/** An error in a list, and its position. */
export interface ListMistake {
  readonly place: string;
  readonly message: string;
}

/** The content of a list, in any format. */
export interface ListDocument {
  /** the name of the fleet */
  readonly fleet?: string;
  /** settings for all of its agents, or for those with a label; validated when they are used */
  readonly defaults?: unknown;
  readonly labels?: Readonly<Record<string, unknown>>;
  readonly rows: readonly ListRow[];
  readonly mistakes: readonly ListMistake[];
}
