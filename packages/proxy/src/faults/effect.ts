import type { HeaderPairs } from "@assay/wire";
import type { BrokenOff, PassedAnswer } from "./answer.ts";

/** The call that a fault affects. */
export interface FaultedCall {
  /** identifies the question and its caller, so that one caller never gets the response of another */
  readonly question: string;
  /** the id of a JSON-RPC request */
  readonly rpcId: unknown;
  /** a random number from 0 up to 1, by the seed */
  readonly chance: number;
  /** Rejects if the call ends first. */
  wait(ms: number): Promise<void>;
  /** Notes that the fault has changed this call. */
  hit(): void;
  /** Notes that the fault ends the connection, and returns the error to throw. */
  breakOff(how: BrokenOff["how"]): BrokenOff;
  /** Closes the port for this long, and every connection with it. */
  refuse(ms: number): void;
}

/** The places at which a fault can change a call. */
export interface Effect {
  /** sends the request to the agent a second time */
  readonly repeats?: true;
  /** Changes the headers of the request. */
  request?(headers: HeaderPairs, call: FaultedCall): HeaderPairs;
  /** Answers instead of the agent. Throws BrokenOff to answer nothing. */
  instead?(call: FaultedCall): PassedAnswer | undefined;
  /** Changes the response. Throws BrokenOff, also from the body, to end the connection. */
  answer?(answer: PassedAnswer, call: FaultedCall): PassedAnswer | Promise<PassedAnswer>;
}
