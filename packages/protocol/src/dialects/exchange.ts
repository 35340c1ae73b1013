/**
 * What one request and its answers know beyond a single payload. The caller starts it and hands it to every
 * call of the dialect; the codecs of 0.1 keep here what 0.1 leaves unsaid in its events.
 */
export interface DialectExchange {
  /** a fresh id, for a member that the dialect at hand does not have */
  readonly newId: () => string;
  /** the task and the context the request was about, or the answer named */
  taskId?: string;
  contextId?: string;
  /** 0.1's index of each artifact, by artifact id */
  readonly artifactIndexes: Map<string, number>;
  /** an event of a 0.1 stream was read, so the task is known to the reader */
  introduced?: boolean;
  /** `final` was written: nothing may follow */
  ended?: boolean;
}

/** Without `newId` the ids count from 1: unique in this exchange, which is enough to judge a recording. */
export const startExchange = (newId: () => string = counting()): DialectExchange => ({
  newId,
  artifactIndexes: new Map(),
});

function counting(): () => string {
  let last = 0;
  return () => String(++last);
}
