import type { Situation } from "@assay/suite";
import type { ClientEnvironment } from "./options.ts";
import type { OpenStage } from "./stage.ts";

/** Returns the environment variables that instruct the command; docs/clients.md explains each. */
export const environmentOf = (
  { id, action, message, reply, asks }: Situation,
  { url, arranged }: Pick<OpenStage, "url" | "arranged">,
): ClientEnvironment => ({
  ASSAY_AGENT_URL: url,
  ASSAY_SITUATION: id,
  ASSAY_ACTION: action,
  ASSAY_ASKS: asks,
  ...(message !== undefined && { ASSAY_MESSAGE: message }),
  ...(reply !== undefined && { ASSAY_REPLY: reply }),
  ...arranged.env,
});

/** Returns the words of a command, with `{url}` replaced by the address of the agent. */
export const wordsFor = (command: readonly string[], url: string): readonly string[] =>
  command.map((word) => word.replaceAll("{url}", url));
