import type { DialectVersion, JsonValue } from "@assay/protocol";
import type { PeerInterface } from "@assay/wire";
import type { PackedCall } from "./call.case.ts";
import type { PackedExchange } from "./exchange.case.ts";

/**
 * What judges read, and what they say about it: `packages/suite/recordings/<area>/<name>.json`. Written by `npm run record`
 * from agents of the test bed, or by hand; read by recordings.test.ts.
 */
export type JudgeRecording = RecordedCard | RecordedCall | RecordedSight | RecordedObstacle;

interface Recorded {
  /** the agent that said it */
  readonly from: string;
  /** by rule: the findings, and what they come to (see words.case.ts) */
  readonly says: Readonly<Record<string, string>>;
  /** what the rest refers to by its place in these lists */
  readonly calls: readonly PackedCall[];
  readonly exchanges: readonly PackedExchange[];
}

/** A card, for all checks of cards. */
export interface RecordedCard extends Recorded {
  readonly is: "card";
  readonly dialect: DialectVersion;
  readonly card: JsonValue;
}

/** One call, for all passive checks. */
export interface RecordedCall extends Recorded {
  readonly is: "call";
  readonly call: JsonValue;
}

/** What an active check saw, and how the questions were answered that it asked besides. */
export interface RecordedSight extends Recorded {
  readonly is: "seen";
  readonly on: PeerInterface;
  readonly seen: JsonValue;
  readonly target: RecordedTarget;
}

/** An observation that the agent did not let us make, which fails the rule that is to blame. */
export interface RecordedObstacle extends Recorded {
  readonly is: "obstacle";
  readonly on: PeerInterface;
  readonly observation: string;
  readonly target: RecordedTarget;
}

/** What a target was and did, by the names that target.case.ts gives to it. */
export interface RecordedTarget {
  readonly members: Readonly<Record<string, JsonValue>>;
  /** in the order in which they were asked for */
  readonly answers: readonly (readonly [what: string, answer: JsonValue])[];
}
