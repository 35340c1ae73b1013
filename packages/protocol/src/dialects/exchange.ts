/**
 * State shared by one request and its responses. The caller creates it and passes it to every call of the dialect. The
 * codecs of 0.1 keep here what 0.1 events do not repeat.
 */
export interface DialectExchange {
  /** creates an id, for a member that the dialect lacks */
  readonly newId: () => string;
  /** the task and context named by the request or the response */
  taskId?: string;
  contextId?: string;
  /** 0.1's index of each artifact, by artifact id */
  readonly artifactIndexes: Map<string, number>;
  /** an event of a 0.1 stream was read, so the reader knows the task */
  introduced?: boolean;
  /** `final` was written: no further event may follow */
  ended?: boolean;
}

/** By default ids count from 1: unique within the exchange, which is enough to judge a recording. */
export const startExchange = (newId: () => string = counting()): DialectExchange => ({
  newId,
  artifactIndexes: new Map(),
});

function counting(): () => string {
  let last = 0;
  return () => String(++last);
}
