import type { ComparedInterface } from "./addresses.ts";
import type { MessageOutcome, WatchedStream } from "./messages.ts";

/** Two direct messages, one through the gateway, and another one through it if that one failed. */
export const messagesPerCase = 4;

/** Streams that are open at the same time. */
export const concurrentStreams = 50;

/** 10 MB, as with Assay's own agent. */
export const bigText = (): string => "x".repeat(10 * 1024 * 1024);

/** One message of 10 MB, and 50 streams at once, on both paths. A path that fails is tried again. */
export interface LoadResults {
  readonly big: { readonly direct: readonly MessageOutcome[]; readonly through: readonly MessageOutcome[] };
  readonly streams?: {
    readonly direct: readonly (readonly WatchedStream[])[];
    readonly through: readonly (readonly WatchedStream[])[];
  };
}

/** Load and size are the same in all versions, so 1.0 is enough. */
export const hasLoad = ({ dialect }: ComparedInterface): boolean => dialect === "1.0";

/** Returns the most messages that load and size tests send on one interface. */
export const messagesOfLoad = (isStreaming: boolean): number =>
  messagesPerCase * (1 + (isStreaming ? concurrentStreams : 0));

export const completeOf = (round: readonly WatchedStream[]): number =>
  round.filter(({ is, ends }) => is === "answered" && ends).length;

export const isPartial = (round: readonly WatchedStream[]): boolean => completeOf(round) < concurrentStreams;
