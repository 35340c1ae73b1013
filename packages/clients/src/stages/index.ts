import type { SituationId } from "@assay/suite";
import type { Stage } from "../stage.ts";
import { answerStages } from "./answers.ts";
import { choiceStages } from "./choices.ts";
import { faultyStages } from "./faulty.ts";
import { generationStages } from "./generations.ts";
import { profiledStages } from "./profiled.ts";
import { streamStages } from "./streams.ts";
import { taskStages } from "./tasks.ts";
import { trustStages } from "./trust.ts";

/** The agent of every situation. */
export const stages: Readonly<Record<SituationId, Stage>> = {
  ...answerStages,
  ...streamStages,
  ...taskStages,
  ...choiceStages,
  ...trustStages,
  ...faultyStages,
  ...generationStages,
  ...profiledStages,
};
