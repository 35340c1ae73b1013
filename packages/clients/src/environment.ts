import type { Situation } from "@assay/suite";
import type { OpenStage } from "./stage.ts";

/** What a command is told by its environment; docs/clients.md explains each. */
export const environmentOf = (
  { id, action, message, reply, asks }: Situation,
  { url, arranged }: Pick<OpenStage, "url" | "arranged">,
): Readonly<Record<string, string>> => ({
  ASSAY_AGENT_URL: url,
  ASSAY_SITUATION: id,
  ASSAY_ACTION: action,
  ASSAY_ASKS: asks,
  ...(message !== undefined && { ASSAY_MESSAGE: message }),
  ...(reply !== undefined && { ASSAY_REPLY: reply }),
  ...arranged.env,
});

/** The words of a command, with the address of the agent where they ask for it. */
export const wordsFor = (command: readonly string[], url: string): readonly string[] =>
  command.map((word) => word.replaceAll("{url}", url));
