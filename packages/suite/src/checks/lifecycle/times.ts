import { asObject, asText } from "../../answers/loose-json.ts";
import type { LooseTask } from "../../answers/reading.ts";
import { roundedToMs } from "../../observations/sent-message.ts";

/** Returns the timestamp of a task's status. */
export const timeOf = ({ json }: LooseTask): string | undefined => asText(asObject(json["status"])?.["timestamp"]);

export function isSameTime(one: string | undefined, other: string | undefined): boolean {
  if (one === other) return true;
  if (one === undefined || other === undefined) return false;
  return Math.abs(Date.parse(one) - Date.parse(other)) < roundedToMs;
}
