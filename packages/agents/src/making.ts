/** Building blocks of the test bed, for authors of other agents. */
export { type Access, tokenHolders } from "./definition/access.ts";
export type { AgentDefinition } from "./definition/agent.ts";
export { acknowledgement, provenance, timing } from "./definition/extensions.ts";
export type { Layers } from "./definition/layers.ts";
export { artifact, type Extension, reply, type Skill, type SkillEvent, skill, status } from "./definition/skill.ts";
export { changeStreamText } from "./mutation/bytes.ts";
export { changeAnswers, type HttpAnswer, replyWith } from "./mutation/http.ts";
export { eachObject } from "./mutation/json.ts";
export { intercept } from "./mutation/operations.ts";
