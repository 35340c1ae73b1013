import type { MessageName } from "@assay/protocol";
import type { Call } from "../define/call.ts";
import { type Declaration, type PassiveCheck, passiveCheck } from "../define/check.ts";
import { type Finding, holds } from "../define/finding.ts";
import type { Observation } from "../define/observation.ts";
import { findingOf } from "./findings.ts";
import { type Shapes, shapesOf } from "./of-call.ts";
import { ownerOf } from "./owners.ts";
import type { Typed } from "./walk.ts";

/** A rule about the shape of what an agent says: which deviations it owns stands in owners.ts. */
export interface ShapeRule extends Declaration {
  /** objects that give occasion to see it hold */
  readonly on: readonly MessageName[] | ((object: Typed) => boolean);
  readonly shownBy?: readonly Observation<unknown>[];
  /** what it means where no such object was seen */
  readonly otherwise?: NonNullable<PassiveCheck["otherwise"]>;
  /** what else it asks of those objects, where that is more than a field's presence and type */
  readonly also?: (object: Typed, call: Call) => Finding | undefined;
  /** or of the conversation as a whole */
  readonly whole?: (call: Call, shapes: Shapes, sent: ReadonlySet<string>) => readonly Finding[];
}

/** The rule as a check of any traffic. */
export function shapeCheck({ on, also, whole, ...declared }: ShapeRule): PassiveCheck {
  const isMeant = typeof on === "function" ? on : ({ message }: Typed) => on.includes(message);
  return passiveCheck({
    ...declared,
    judge(call, sent = new Set()) {
      const shapes = shapesOf(call);
      const own = shapes.deviations.filter((deviation) => ownerOf(deviation) === declared.id);
      const meant = shapes.objects.filter(isMeant);
      const findings = [
        ...own.map((deviation) => findingOf(deviation, call)),
        ...(also ? meant.flatMap((object) => also(object, call) ?? []) : []),
        ...(whole?.(call, shapes, sent) ?? []),
      ];
      if (findings.length > 0) return findings;
      return meant.length > 0 ? holds() : undefined;
    },
  });
}
