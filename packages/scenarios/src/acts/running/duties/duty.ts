import type { WebhookDelivery } from "@assay/suite";
import type { Step } from "../../model.ts";
import type { StepAnswer } from "../answer.ts";
import type { TestRun } from "../run-test.ts";

/**
 * A requirement that a test states in prose, because the format cannot express it: the 23 tests tagged
 * `runner-special`, and those named for a header or a schema. The sentence is Assay's; docs/acts.md lists
 * them.
 */
export interface Duty {
  readonly says: string;
  /** reads the notifications that arrive */
  readonly hears?: true;
  before?(step: Step, run: TestRun): Promise<void>;
  /** Throws if the requirement is not met; a text is a note for the report. */
  after?(run: TestRun): Promise<string | undefined>;
  /** Returns why a failure is not the agent's, by the test's own words. */
  waives?(answer: StepAnswer): string | undefined;
  /** Returns the webhook's status for a notification. */
  answers?(delivery: WebhookDelivery): number;
}
