export { type ClientProgram, type OpTarget, runClient, type SurfacedBySdk, UnsupportedBySdk } from "./client-loop.ts";
export { installed } from "./installed.ts";
export { type AskAgent, SkillInterpreter, type SkillTeller } from "./interpreter.ts";
export { OlderSkills } from "./older-skills.ts";
export { portAsked, serverReady } from "./server-program.ts";
export { readSkills, type SkilledAgent, type SkillPart, type SkillState, type SkillsFile } from "./skills-file.ts";
