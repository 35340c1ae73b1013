import { placeText } from "../reading/page.ts";
import type { FailureDetail } from "./outcome.ts";

/** What a failure shows, label by label: what was sent, seen and wanted, and where to look. */
export const factsOf = ({
  sent,
  saw,
  expected,
  actual,
  more,
  exchange,
  repeat,
  at,
}: FailureDetail): [string, string][] => [
  ...(sent !== undefined ? ([["sent", sent]] as [string, string][]) : []),
  ...(saw !== undefined ? ([["saw", saw]] as [string, string][]) : []),
  ...(expected !== undefined ? ([["want", expected]] as [string, string][]) : []),
  ...(actual !== undefined && actual !== saw ? ([["got", actual]] as [string, string][]) : []),
  ...more.slice(0, 10).map((each): [string, string] => ["also", each]),
  ["test", placeText(at)],
  ...(repeat !== undefined ? ([["repeat", repeat]] as [string, string][]) : []),
  ...(exchange !== undefined ? ([["see", `exchange ${exchange} of the JSON report`]] as [string, string][]) : []),
];
