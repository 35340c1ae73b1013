import type { FailureDetail } from "../reporting/outcome.ts";
import type { StepAnswer } from "./answer.ts";

/** The test cannot run here, for a reason that is not the agent's fault. */
export class Skipped extends Error {
  override readonly name = "Skipped";
}

/** An expectation of the test does not hold. */
export class Failed extends Error {
  override readonly name = "Failed";
  readonly detail: FailureDetail;
  readonly answer: StepAnswer | undefined;

  constructor(detail: FailureDetail, answer?: StepAnswer) {
    super(detail.message);
    this.detail = detail;
    this.answer = answer;
  }
}

/**
 * Runs every check, and throws the first failure with the messages of the others. Any other error ends it: it decides only
 * if nothing failed before.
 */
export function together(checks: readonly (() => unknown)[]): void {
  const failures: Failed[] = [];
  for (const check of checks)
    try {
      check();
    } catch (error) {
      if (error instanceof Failed) failures.push(error);
      else if (failures.length) break;
      else throw error;
    }
  const [first, ...others] = failures;
  if (!first) return;
  const more = others.flatMap(({ detail }) => [detail.message, ...detail.more]);
  throw new Failed({ ...first.detail, more: [...first.detail.more, ...more] }, first.answer);
}
