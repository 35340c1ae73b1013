import { areas, checksIn } from "../checks/index.ts";

/** The folders of the checks, which are also those of the recordings. */
const areaOfRule = new Map(
  Object.entries(areas).flatMap(([area, modules]) => checksIn(modules).map(({ id }) => [id, area])),
);

export const areaOf = (rule: string): string => areaOfRule.get(rule)!;
