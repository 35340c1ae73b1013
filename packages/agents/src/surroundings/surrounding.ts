import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Readable } from "node:stream";

/** Something between a client and a good agent that is not the agent's fault. */
export interface Surrounding {
  readonly id: string;
  /** the effect for a client, in one sentence */
  readonly what: string;
  /** Called once per start, because most keep state. */
  readonly does: () => Conduct;
  /** ends a gRPC connection with GOAWAY when a response pauses for this many milliseconds in the middle */
  readonly goAwayAfter?: number;
}

export const surrounding = (
  id: string,
  what: string,
  does: Surrounding["does"],
  goAwayAfter?: number,
): Surrounding => ({ id, what, does, ...(goAwayAfter !== undefined && { goAwayAfter }) });

/** Handles each HTTP request. gRPC is passed on byte by byte by default. */
export type Conduct = (passage: Passage) => void | Promise<void>;

/** One request on its way to the agent, and the possible effects. */
export interface Passage {
  /** counted from 1, in order of arrival */
  readonly number: number;
  readonly asks: "card" | "send" | "stream" | "other";
  readonly socket: Socket;
  readonly response: ServerResponse;
  /** Forwards to the agent and back; the response is unchanged unless `deliver` changes it. */
  forward(deliver?: Deliver): Promise<void>;
  /** Answers instead of the agent, which never sees the request. */
  answer(status: number, headers: Readonly<Record<string, string>>, body: string): void;
  /** Resets the connection without a response. */
  reset(): void;
  /** Waits in scaled time. */
  wait(ms: number): Promise<void>;
  /** Drops every connection and accepts none, for this time or forever. */
  goDown(ms?: number): void;
  /** Sends later requests to the same agent without its memory. */
  forget(): void;
}

/** Passes the agent's response to the client. */
export type Deliver = (answer: Answer, passage: Passage) => void | Promise<void>;

export interface Answer {
  readonly status: number;
  readonly head: AnswerHeaders;
  readonly body: Readable;
  /** a stream of server-sent events */
  readonly isStream: boolean;
}

/** Headers, without those of one connection. */
export type AnswerHeaders = readonly (readonly [name: string, value: string])[];
