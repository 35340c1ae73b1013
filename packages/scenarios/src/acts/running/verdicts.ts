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
