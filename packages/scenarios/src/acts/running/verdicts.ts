import type { FailureDetail } from "../reporting/outcome.ts";
import type { StepAnswer } from "./answer.ts";

/** The test cannot be made here, for a reason that is no fault of the agent. */
export class Skipped extends Error {
  override readonly name = "Skipped";
}

/** Something is not as the test expects it. */
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
