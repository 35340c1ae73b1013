/** The facts about a fleet that pages need. No Node modules, so it also works in a browser. */

export { type AgentClass, agentClasses, classFacts } from "../classes/agent-class.ts";
export { countedFailures } from "../report/broken-rules.ts";
export { type ChangeKind, changeKinds } from "../report/changes.ts";
export type { FleetReport, FleetRow } from "../report/document.ts";
export {
  changeText,
  changeWords,
  examinedWord,
  headlineOf,
  levelWord,
  shareText,
  sweepText,
} from "../report/report-text.ts";
export {
  type EarlierVerdict,
  type FleetLine,
  type ShownAgent,
  type ShownFleet,
  type ShownHallmark,
  type ShownRow,
  shownAgent,
  shownFleet,
} from "./shown.ts";
export { type Tone, toneOf } from "./tone.ts";
