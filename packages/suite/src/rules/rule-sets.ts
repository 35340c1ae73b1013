/**
 * Rules with the checks there are today, under one name for each published text: what a level refers to. A set is frozen
 * once it is released; a new or stricter check makes a new one.
 */
export const ruleSets = ["1.0.1-r1", "1.0.0-r1"] as const;
