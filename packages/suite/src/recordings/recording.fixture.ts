import type { DialectVersion, JsonValue } from "@assay/protocol";
import type { PeerInterface } from "@assay/wire";
import type { PackedCall } from "./call.fixture.ts";
import type { PackedExchange } from "./exchange.fixture.ts";

/**
 * The input and the results of judges: `packages/suite/recordings/<area>/<name>.json`. Written by `npm run generate --
 * recordings` from agents of the test bed, or by hand; read by recordings.test.ts.
 */
export type JudgeRecording = RecordedCard | RecordedCall | RecordedSight | RecordedObstacle;

interface Recorded {
  /** the recorded agent */
  readonly from: string;
  /** by rule: the findings and their severity (see words.fixture.ts) */
  readonly says: Readonly<Record<string, string>>;
  /** the objects that the other members refer to by index */
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

/** The observations of an active check, and the responses to its own requests. */
export interface RecordedSight extends Recorded {
  readonly is: "seen";
  readonly on: PeerInterface;
  readonly seen: JsonValue;
  readonly target: RecordedTarget;
}

/** An observation that the agent prevented, which fails the rule to blame. */
export interface RecordedObstacle extends Recorded {
  readonly is: "obstacle";
  readonly on: PeerInterface;
  readonly observation: string;
  readonly target: RecordedTarget;
}

/** The members and responses of a target, by the names of target.fixture.ts. */
export interface RecordedTarget {
  readonly members: Readonly<Record<string, JsonValue>>;
  /** in the order of the requests */
  readonly answers: readonly (readonly [what: string, answer: JsonValue])[];
}
