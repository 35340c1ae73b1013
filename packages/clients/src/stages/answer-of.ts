import { type SituationId, situationOf } from "@assay/suite";

/** The text that a client is to print, as its situation has it. */
export const answerOf = (id: SituationId): string => situationOf(id)!.answer![0]!;
