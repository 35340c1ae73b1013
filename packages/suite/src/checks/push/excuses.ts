import type { Operation } from "@assay/protocol";
import { isUnknown } from "../../answers/served.ts";
import type { Call } from "../../define/call.ts";
import { type Finding, isBreach, notExamined } from "../../define/finding.ts";
import { slowerPrompt } from "../../observations/cancelled.ts";
import type { PushConfigs } from "../../observations/push-configs.ts";

export const tooShort = notExamined("prompt", "the slow task ended before the check was done", slowerPrompt);

/**
 * Excuses every breach but a crash if the task ended too soon, because an agent may forget the configurations of an
 * ended task (AMB-35).
 */
export const whileAlive = ({ lasted }: Pick<PushConfigs, "lasted">, finding: Finding): Finding =>
  lasted || finding.is === "holds" || isBreach(finding, "crashed") ? finding : tooShort;

/**
 * Before 1.0, a binding may lack a push operation; other rules judge the offered operations. `asked` are other calls to
 * compare with.
 */
export const isNotOffered = (
  call: Call,
  asked: readonly { readonly operation: Operation; readonly call: Call }[] = [],
): boolean =>
  call.on.dialect !== "1.0" && call.operation !== undefined && isUnknown({ operation: call.operation, call }, asked);

/** Excuses breaches as `whileAlive` does, for calls made before all configurations had been read. */
export const whileOutlived = ({ outlived }: Pick<PushConfigs, "outlived">, finding: Finding): Finding =>
  whileAlive({ lasted: outlived }, finding);
