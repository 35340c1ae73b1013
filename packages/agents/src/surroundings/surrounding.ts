import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Readable } from "node:stream";

/** Something that stands between a client and a good agent, and is not the agent's fault. */
export interface Surrounding {
  readonly id: string;
  /** what a client meets, in a sentence */
  readonly what: string;
  /** Asked once for every start, because most keep something in mind. */
  readonly does: () => Conduct;
  /** ends a connection of gRPC with GOAWAY when an answer on it pauses for so many milliseconds in the middle */
  readonly goAwayAfter?: number;
}

/** What becomes of each HTTP request. gRPC is passed on byte by byte, unless the surrounding says otherwise. */
export type Conduct = (passage: Passage) => void | Promise<void>;

/** One request on its way to the agent, and everything that can become of it. */
export interface Passage {
  /** counted from 1, in the order in which requests arrive */
  readonly number: number;
  readonly asks: "card" | "send" | "stream" | "other";
  readonly socket: Socket;
  readonly response: ServerResponse;
  /** To the agent and back; the answer as it is, unless it is delivered in another way. */
  forward(deliver?: Deliver): Promise<void>;
  /** Answers in the place of the agent, which never hears of the request. */
  answer(status: number, headers: Readonly<Record<string, string>>, body: string): void;
  /** Resets the connection without an answer. */
  reset(): void;
  /** Waits, in the time of this start. */
  wait(ms: number): Promise<void>;
  /** Drops every connection and accepts none: for so long, or for good. */
  goDown(ms?: number): void;
  /** From here on requests go to the same agent without its memory. */
  forget(): void;
}

/** Hands the answer of the agent on to the client. */
export type Deliver = (answer: Answer, passage: Passage) => void | Promise<void>;

export interface Answer {
  readonly status: number;
  readonly head: AnswerHeaders;
  readonly body: Readable;
  /** of server-sent events */
  readonly isStream: boolean;
}

/** Headers, without those that concern one connection. */
export type AnswerHeaders = readonly (readonly [name: string, value: string])[];
