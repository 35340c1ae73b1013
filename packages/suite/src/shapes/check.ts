import type { MessageName } from "@assay/protocol";
import type { Call } from "../define/call.ts";
import { type Declaration, type PassiveCheck, passiveCheck } from "../define/check.ts";
import { type Finding, holds } from "../define/finding.ts";
import type { Observation } from "../define/observation.ts";
import { findingOf } from "./findings.ts";
import { type Shapes, shapesOf } from "./of-call.ts";
import { ownerOf } from "./owners.ts";
import type { Typed } from "./walk.ts";

/** A rule about the shape of agent data. owners.ts lists the deviations that each rule owns. */
export interface ShapeRule extends Omit<Declaration, "id"> {
  /** objects that show whether the rule holds */
  readonly on: readonly MessageName[] | ((object: Typed) => boolean);
  readonly shownBy?: readonly Observation<unknown>[];
  /** why the rule does not apply if no such object was seen */
  readonly otherwise?: NonNullable<PassiveCheck["otherwise"]>;
  /** further conditions on those objects, beyond presence and type of fields */
  readonly also?: (object: Typed, call: Call) => Finding | undefined;
  /** or conditions on the conversation as a whole */
  readonly whole?: (call: Call, shapes: Shapes, sent: ReadonlySet<string>) => readonly Finding[];
}

/** Turns the rule into a check of any traffic. */
export function shapeCheck(id: string, { on, also, whole, ...declared }: ShapeRule): PassiveCheck {
  const isMeant = typeof on === "function" ? on : ({ message }: Typed) => on.includes(message);
  return passiveCheck(id, {
    ...declared,
    judge(call, sent = new Set()) {
      const shapes = shapesOf(call);
      const own = shapes.deviations.filter((deviation) => ownerOf(deviation) === id);
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
