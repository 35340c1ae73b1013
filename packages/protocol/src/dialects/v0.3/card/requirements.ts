import type { AgentSkill } from "../../../model.ts";

type Requirement = NonNullable<AgentSkill["securityRequirements"]>[number];

/** `[{name: [scopes]}]` as in OpenAPI; 1.0 writes `[{schemes: {name: {list: [scopes]}}}]`. Nothing is lost. */
export type RequirementShape = Readonly<Record<string, string[]>>;

/** Three split schemes in one requirement give 64 alternatives. Further alternatives of a hostile card are dropped. */
const maxAlternatives = 64;

/** Any part of a split scheme satisfies a requirement, so each part becomes an alternative. */
export const readRequirements = (
  requirements: readonly RequirementShape[],
  namesOf: (name: string) => readonly string[],
): Requirement[] => requirements.flatMap((requirement) => alternatives(Object.entries(requirement), namesOf));

function alternatives(entries: [string, string[]][], namesOf: (name: string) => readonly string[]): Requirement[] {
  let choices: [string, { list: string[] }][][] = [[]];
  for (const [name, list] of entries) {
    const all = namesOf(name);
    const names = choices.length * all.length > maxAlternatives ? all.slice(0, 1) : all;
    choices = choices.flatMap((choice) => names.map((own): typeof choice => [...choice, [own, { list }]]));
  }
  return choices.map((choice) => ({ schemes: Object.fromEntries(choice) }));
}

export const writeRequirements = (requirements: readonly Requirement[]): RequirementShape[] =>
  requirements.map(({ schemes = {} }) =>
    Object.fromEntries(Object.entries(schemes).map(([name, { list = [] }]) => [name, list])),
  );
