import { asObject, asText, type LooseTask } from "../../reading.ts";

/** When the status of a task began, by its own word. */
export const timeOf = ({ json }: LooseTask): string | undefined => asText(asObject(json["status"])?.["timestamp"]);

/** What was read from memory first may come from a store later that keeps whole seconds. */
const slackMs = 1_000;

/** Reads of one status must be further apart than the slack for a difference to show. */
export const apartMs = slackMs + 100;

export function isSameTime(one: string | undefined, other: string | undefined): boolean {
  if (one === other) return true;
  if (one === undefined || other === undefined) return false;
  return Math.abs(Date.parse(one) - Date.parse(other)) < slackMs;
}
