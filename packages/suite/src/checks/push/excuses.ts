import type { Operation } from "@assay/protocol";
import { isUnknown } from "../../answers/served.ts";
import type { Call } from "../../define/call.ts";
import { type Finding, isBreach, notExamined } from "../../define/finding.ts";
import type { PushConfigs } from "../../observations/push-configs.ts";

export const tooShort = notExamined(
  "prompt",
  "the task that should have been slow was over while it was looked at",
  "prompts.slow in assay.yaml: something that takes several seconds",
);

/**
 * What an agent does with the configurations of a task that has ended is its own affair (AMB-35): it may well have
 * forgotten them. What it must never do is not excused by that.
 */
export const whileAlive = ({ lasted }: Pick<PushConfigs, "lasted">, finding: Finding): Finding =>
  lasted || finding.is === "holds" || isBreach(finding, "crashed") ? finding : tooShort;

/**
 * Before 1.0 an operation of push notifications may be missing on a binding, which is for the rules about what it
 * offers. `asked` are the calls beside it.
 */
export const isNotOffered = (
  call: Call,
  asked: readonly { readonly operation: Operation; readonly call: Call }[] = [],
): boolean =>
  call.on.dialect !== "1.0" && call.operation !== undefined && isUnknown({ operation: call.operation, call }, asked);

/** The same for what was asked before all configurations had been read. */
export const whileOutlived = ({ outlived }: Pick<PushConfigs, "outlived">, finding: Finding): Finding =>
  whileAlive({ lasted: outlived }, finding);
