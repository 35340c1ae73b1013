import type { WebhookDelivery } from "@assay/suite";
import type { Step } from "../../model.ts";
import type { StepAnswer } from "../answer.ts";
import type { TestRun } from "../run-test.ts";

/**
 * What a test asks of the runner in prose, because the format cannot say it: the 23 tests tagged `runner-special`, and
 * those named for a header or a schema. The sentence is ours; docs/acts.md lists them.
 */
export interface Duty {
  readonly says: string;
  /** looks at the notifications that arrive */
  readonly hears?: true;
  before?(step: Step, run: TestRun): Promise<void>;
  /** Throws what is not as it should be; a text is a note for the report. */
  after?(run: TestRun): Promise<string | undefined>;
  /** Why a failure is none of the agent's, by the test's own words. */
  waives?(answer: StepAnswer): string | undefined;
  /** What the webhook answers to a notification. */
  answers?(delivery: WebhookDelivery): number;
}
